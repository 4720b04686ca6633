import { failToProtect, requireNumber } from './require-number.ts';

/** The loss at which all is sold once the best price has reached a profit, until the next step. */
export interface LossStep {
  /** Profit that the best price since the entry has reached, a fraction of the mean entry price. */
  readonly fromProfit: number;
  /** A fraction of the mean entry price; 0 sells at cost, below 0 at a profit. */
  readonly loss: number;
}

/** A rule as steps: a number is one step from the entry on, undefined is none. */
export function lossSteps(rule: number | readonly LossStep[] | undefined): readonly LossStep[] {
  return typeof rule === 'number' ? [{ fromProfit: 0, loss: rule }] : (rule ?? []);
}

/** The loss allowed once the best price has reached that profit; infinite without a step for it. */
export function lossBorneAt(steps: readonly LossStep[], bestProfit: number): number {
  const step = steps.findLast(({ fromProfit }) => fromProfit <= bestProfit);
  return step?.loss ?? Number.POSITIVE_INFINITY;
}

/**
 * Checks that each step sells below the profit it begins at, at a smaller loss than the one before.
 *
 * @throws {StrategyError} when there is no step, profits do not rise, or a number is out of bounds.
 */
export function requireLossSteps(name: string, steps: readonly Partial<LossStep>[]): void {
  if (steps.length === 0) failToProtect(`${name} is [], a number above 0 or a step is wanted`);
  let before: LossStep | undefined;
  for (const [at, step] of steps.entries()) {
    const { fromProfit, loss } = step ?? {};
    const least = before === undefined ? { above: 0, orEqual: true } : { above: before.fromProfit };
    requireNumber(`${name}[${at}].fromProfit`, fromProfit, least);
    const bounds = { above: 0 - fromProfit!, below: before?.loss ?? 1 };
    requireNumber(`${name}[${at}].loss`, loss, bounds);
    before = step as LossStep;
  }
}
