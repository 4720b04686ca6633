import { currenciesOf } from '../../domain/index.ts';
import { Doubles } from '../../kernel/index.ts';
import type { Rate } from '../rates.ts';
import { type ClosedTrip, isClosed, type RoundTrip } from '../trips/round-trip.ts';
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
  const closed = new ClosedTrips();
  let open = 0;
  for (const trip of trips) {
    if (isClosed(trip)) closed.add(trip, rate(currenciesOf(trip.market).quote, trip.closeTime));
    else open++;
  }
  const { profits, shares, durationMs } = closed.byEnd();
  const { mean, deviation } = momentsOf(profits);
  const count = profits.length;
  return {
    ...{ count, open, shares, mean, deviation },
    ...outcomesOf(profits),
    meanShare: sumOf(shares) / count,
    meanDurationMs: durationMs / count,
  };
}

/** Columns of the closed trips, as there may be millions of them. */
class ClosedTrips {
  readonly #ends = new Doubles();
  readonly #profits = new Doubles();
  readonly #shares = new Doubles();
  #durationMs = 0;
  #isOrdered = true;

  add({ openTime, closeTime, profit, profitShare }: ClosedTrip, worth: number): void {
    const { length } = this.#ends;
    if (length > 0 && closeTime < this.#ends.at(length - 1)) this.#isOrdered = false;
    this.#ends.push(closeTime);
    this.#profits.push(profit * worth);
    this.#shares.push(profitShare);
    this.#durationMs += closeTime - openTime;
  }

  /** In the order in which they ended, those of one time as they came. */
  byEnd(): { profits: Float64Array; shares: Float64Array; durationMs: number } {
    const ends = this.#ends.view();
    const order = this.#isOrdered
      ? undefined
      : Uint32Array.from(ends, (_end, at) => at).sort((a, b) => ends[a]! - ends[b]!);
    const ordered = (values: Float64Array): Float64Array =>
      order === undefined ? values : Float64Array.from(order, (at) => values[at]!);
    const [profits, shares] = [this.#profits, this.#shares].map((one) => ordered(one.view()));
    return { profits: profits!, shares: shares!, durationMs: this.#durationMs };
  }
}

function sumOf(values: Float64Array): number {
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
