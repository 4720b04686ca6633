import type { BudgetUsage, Priority } from './rate-budget.ts';

/** The rate budget as a status display shows it. */
export interface ExecutorUsage extends BudgetUsage {
  /** The kinds of requests that wait for it. */
  readonly waiting: readonly Priority[];
}
