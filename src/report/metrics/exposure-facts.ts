import type { RunRecord } from '../record.ts';
import { TimeHeld } from '../trips/time-held.ts';

/** How much of the account stood in positions, weighted by time. */
export interface Exposure {
  /** Share of the time in which some strategy held a position. */
  readonly timeShare: number;
  /** Mean of what is owned beside money, its worth taken without sign, as a fraction of the equity. */
  readonly meanShare: number;
  /** Mean equity, in quote. */
  readonly meanEquity: number;
}

/**
 * One pass over the account's curve; each row holds until the next. Means leave out those without a
 * value, the time in which a position is held needs none.
 */
export function exposureOf(record: Pick<RunRecord, 'curve' | 'fills' | 'markets'>): Exposure {
  const timeHeld = new TimeHeld(record);
  let exposedMs = 0;
  let shares = 0;
  let equities = 0;
  let totalMs = 0;
  let valuedMs = 0;
  // The row before: none holds before the first.
  let since = Number.NaN;
  let worth = Number.NaN;
  let share = Number.NaN;
  for (const { time, equity, positionValue } of record.curve) {
    for (let at = 0; at < time.length; at++) {
      if (!Number.isNaN(since)) {
        const heldMs = time[at]! - since;
        totalMs += heldMs;
        exposedMs += timeHeld.between(since, time[at]!);
        if (!Number.isNaN(worth)) {
          valuedMs += heldMs;
          shares += share * heldMs;
          equities += worth * heldMs;
        }
      }
      since = time[at]!;
      worth = equity[at]!;
      share = Math.abs(positionValue[at]! / worth);
    }
  }
  return {
    timeShare: exposedMs / totalMs,
    meanShare: shares / valuedMs,
    meanEquity: equities / valuedMs,
  };
}
