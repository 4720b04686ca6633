import { currenciesOf } from '../../domain/index.ts';
import type { Rate } from '../rates.ts';
import type { ClosedTrip } from '../trips/round-trip.ts';
import { momentsOf } from './series.ts';

/** What the closed round trips earned, in the account's quote currency and net of fees. */
export interface TradeFacts {
  readonly count: number;
  readonly wins: number;
  readonly losses: number;
  /** Sum of all profits that are positive, and of all that are negative. */
  readonly won: number;
  readonly lost: number;
  readonly best: number;
  readonly worst: number;
  /** Mean and sample deviation of the profits. */
  readonly mean: number;
  readonly deviation: number;
  /** Mean of the profits as fractions of their entry values. */
  readonly meanShare: number;
  readonly meanDurationMs: number;
  /** The longest run of losses, in the order in which the trips ended. */
  readonly losingStreak: number;
}

/** Measures closed trips, each valued at the rate of its end. */
export function tradeFactsOf(trips: readonly ClosedTrip[], rate: Rate): TradeFacts {
  const byEnd = trips.toSorted((a, b) => a.closeTime - b.closeTime);
  const profits = Float64Array.from(byEnd, (trip) => {
    return trip.profit * rate(currenciesOf(trip.market).quote, trip.closeTime);
  });
  const count = profits.length;
  const { mean, deviation } = momentsOf(profits);
  return {
    count,
    ...outcomesOf(profits),
    mean,
    deviation,
    meanShare: byEnd.reduce((sum, trip) => sum + trip.profitShare, 0) / count,
    meanDurationMs:
      byEnd.reduce((sum, { openTime, closeTime }) => sum + closeTime - openTime, 0) / count,
  };
}

function outcomesOf(profits: Float64Array) {
  const sums = { wins: 0, losses: 0, won: 0, lost: 0, best: -Infinity, worst: Infinity };
  let streak = 0;
  let losingStreak = 0;
  for (const profit of profits) {
    streak = profit < 0 ? streak + 1 : 0;
    losingStreak = Math.max(losingStreak, streak);
    if (profit > 0) sums.wins++;
    if (profit < 0) sums.losses++;
    sums.won += Math.max(0, profit);
    sums.lost += Math.min(0, profit);
    sums.best = Math.max(sums.best, profit);
    sums.worst = Math.min(sums.worst, profit);
  }
  return { ...sums, losingStreak };
}
