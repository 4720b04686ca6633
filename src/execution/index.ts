export { type ExecutionConfig, executionConfigSchema } from './config.ts';
export { ExecutionError } from './errors.ts';
export {
  Executor,
  type ExecutorMemory,
  type ExecutorUsage,
} from './executor.ts';
export { Heartbeat, type HeartbeatOptions } from './heartbeat.ts';
export type { ExecutorOptions } from './ports.ts';
export { type BudgetUsage, PRIORITIES, type Priority, RateBudget } from './rate-budget.ts';
export type { MarketReconciliation, ReconciliationReport } from './reconciler.ts';
export type { StopReport } from './shutdown.ts';
