import { type ClosedTrip, inAccount, isClosed, type RoundTrip } from '../trips/round-trip.ts';
import { tripsByEnd } from '../trips/trips-by-end.ts';
import { Moments } from './series.ts';

/** What the closed round trips earned, in the account's currency and net of fees. */
export interface TradeFacts {
  readonly count: number;
  /** Trips that had not ended: no other figure includes them. */
  readonly open: number;
  readonly wins: number;
  readonly losses: number;
  /** Sum of all profits that are positive, and of all that are negative. */
  readonly won: number;
  readonly lost: number;
  readonly best: number;
  readonly worst: number;
  /** Mean and deviation of the profits. */
  readonly moments: Moments;
  /** Mean of the profits as fractions of their entry values. */
  readonly meanShare: number;
  readonly meanDurationMs: number;
  /** The longest run of losses, in the order in which the trips ended. */
  readonly losingStreak: number;
}

/** Measures the closed trips, and counts the open ones. */
export function tradeFactsOf(trips: Iterable<RoundTrip>): TradeFacts {
  const closed = new ClosedTrips();
  let open = 0;
  for (const trip of tripsByEnd(trips)) {
    if (isClosed(trip)) closed.add(trip);
    else open++;
  }
  return { open, ...closed.facts() };
}

/** Adds up closed trips in the order in which they ended: there may be millions of them. */
class ClosedTrips {
  readonly #sums = {
    count: 0,
    wins: 0,
    losses: 0,
    won: 0,
    lost: 0,
    best: -Infinity,
    worst: Infinity,
  };
  readonly #profits = new Moments();
  #shares = 0;
  #durationMs = 0;
  #streak = 0;
  #losingStreak = 0;

  add(trip: ClosedTrip): void {
    const { openTime, closeTime, profitShare } = trip;
    const { profit } = inAccount(trip);
    this.#count(profit);
    this.#profits.add(profit);
    this.#shares += profitShare;
    this.#durationMs += closeTime - openTime;
    // Whether a trip won is known even if the rate of its currency is not.
    if (trip.profit > 0) this.#sums.wins++;
    if (trip.profit < 0) this.#sums.losses++;
    this.#streak = trip.profit < 0 ? this.#streak + 1 : 0;
    this.#losingStreak = Math.max(this.#losingStreak, this.#streak);
  }

  #count(profit: number): void {
    const sums = this.#sums;
    sums.count++;
    sums.won += Math.max(0, profit);
    sums.lost += Math.min(0, profit);
    sums.best = Math.max(sums.best, profit);
    sums.worst = Math.min(sums.worst, profit);
  }

  facts(): Omit<TradeFacts, 'open'> {
    const { count } = this.#sums;
    return {
      ...{ ...this.#sums, moments: this.#profits },
      losingStreak: this.#losingStreak,
      meanShare: this.#shares / count,
      meanDurationMs: this.#durationMs / count,
    };
  }
}
