import { failToProtect, requireNumber } from './require-number.ts';

/** The profit at which all is sold from some time after the entry until the next step. */
export interface ProfitStep {
  /** Milliseconds since the position opened. */
  readonly afterMs: number;
  /** A fraction of the mean entry price; 0 and less, above -1, sell at cost or at a loss. */
  readonly profit: number;
}

/** A rule as steps: a number is one step from the entry on, undefined is none. */
export function profitSteps(
  rule: number | readonly ProfitStep[] | undefined,
): readonly ProfitStep[] {
  return typeof rule === 'number' ? [{ afterMs: 0, profit: rule }] : (rule ?? []);
}

/** The profit at which all is sold after that time; infinite without a step for it. */
export function profitTakenAt(steps: readonly ProfitStep[], heldMs: number): number {
  const step = steps.findLast(({ afterMs }) => afterMs <= heldMs);
  return step?.profit ?? Number.POSITIVE_INFINITY;
}

/**
 * @throws {StrategyError} when there is no step, times do not rise, or a number is out of bounds.
 */
export function requireProfitSteps(name: string, steps: readonly Partial<ProfitStep>[]): void {
  if (steps.length === 0) failToProtect(`${name} is [], a number above 0 or a step is wanted`);
  let before: number | undefined;
  for (const [at, step] of steps.entries()) {
    const { afterMs, profit } = step ?? {};
    const least = before === undefined ? { above: 0, orEqual: true } : { above: before };
    requireNumber(`${name}[${at}].afterMs`, afterMs, least);
    requireNumber(`${name}[${at}].profit`, profit, { above: -1 });
    before = afterMs;
  }
}
