import { currenciesOf } from '../../domain/index.ts';
import type { Rate } from '../rates.ts';
import { isClosed, type RoundTrip } from '../trips/round-trip.ts';
import { momentsOf } from './series.ts';

/** What the closed round trips earned, in the account's quote currency and net of fees. */
export interface TradeFacts {
  readonly count: number;
  /** Trips that had not ended: they are in no other figure. */
  readonly open: number;
  /** Profits as fractions of their entry values, in the order in which the trips ended. */
  readonly shares: Float64Array;
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

/** Measures the closed ones of the trips, each valued at the rate of its end. */
export function tradeFactsOf(trips: Iterable<RoundTrip>, rate: Rate): TradeFacts {
  const ends: number[] = [];
  const profits: number[] = [];
  const shares: number[] = [];
  const durations: number[] = [];
  let open = 0;
  for (const trip of trips) {
    if (!isClosed(trip)) {
      open++;
      continue;
    }
    ends.push(trip.closeTime);
    profits.push(trip.profit * rate(currenciesOf(trip.market).quote, trip.closeTime));
    shares.push(trip.profitShare);
    durations.push(trip.closeTime - trip.openTime);
  }
  const order = Uint32Array.from(ends, (_end, at) => at).sort((a, b) => ends[a]! - ends[b]!);
  const byEnd = (values: readonly number[]) => Float64Array.from(order, (at) => values[at]!);
  const ended = byEnd(profits);
  const { mean, deviation } = momentsOf(ended);
  const count = ended.length;
  return {
    ...{ count, open, shares: byEnd(shares), mean, deviation },
    ...outcomesOf(ended),
    meanShare: sumOf(byEnd(shares)) / count,
    meanDurationMs: sumOf(durations) / count,
  };
}

function sumOf(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
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
