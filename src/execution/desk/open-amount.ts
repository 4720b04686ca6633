import type { LiveOrder } from '../../domain/index.ts';

/** Relative rounding error of sums and differences of amounts: far below any amount step. */
export const HAIR = 1e-12;

/** The amount of an order that may still fill. */
export function openAmount({ amount, filledAmount }: LiveOrder): number {
  return amount - filledAmount;
}

/** Whether an amount is more than `most`, beyond rounding errors. */
export function exceeds(amount: number, most: number): boolean {
  return amount > most * (1 + HAIR);
}
