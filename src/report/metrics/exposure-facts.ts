import type { EquityColumns } from '../record.ts';

/** A position worth less than this share of the equity is dust: the account counts as flat. */
export const FLAT_SHARE = 0.001;

/** How much of the account stood in positions, weighted by time. */
export interface Exposure {
  /** Share of the time with a position. */
  readonly timeShare: number;
  /** Mean of the positions' worth, taken without sign, as a fraction of the equity. */
  readonly meanShare: number;
  /** Mean equity, in quote. */
  readonly meanEquity: number;
}

/** One pass over the account's curve; each row holds until the next, those without a value left out. */
export function exposureOf(curve: Iterable<EquityColumns>): Exposure {
  let exposedMs = 0;
  let shares = 0;
  let equities = 0;
  let totalMs = 0;
  // The row before: none holds before the first.
  let since = Number.NaN;
  let worth = Number.NaN;
  let share = Number.NaN;
  for (const { time, equity, positionValue } of curve) {
    for (let at = 0; at < time.length; at++) {
      if (!Number.isNaN(worth)) {
        const heldMs = time[at]! - since;
        totalMs += heldMs;
        if (share >= FLAT_SHARE) exposedMs += heldMs;
        shares += share * heldMs;
        equities += worth * heldMs;
      }
      since = time[at]!;
      worth = equity[at]!;
      share = Math.abs(positionValue[at]! / worth);
    }
  }
  return {
    timeShare: exposedMs / totalMs,
    meanShare: shares / totalMs,
    meanEquity: equities / totalMs,
  };
}
