import type { LiveOrder } from '../../domain/index.ts';

/** Share of an amount that is float noise of sums and subtractions: far below any amount step. */
export const HAIR = 1e-12;

/** What of an order may still fill. */
export function openAmount({ amount, filledAmount }: LiveOrder): number {
  return amount - filledAmount;
}

/** Whether an amount is more than `most`, by more than float noise. */
export function exceeds(amount: number, most: number): boolean {
  return amount > most * (1 + HAIR);
}
