import type { Market } from '../../domain/index.ts';
import { toDouble } from '../doubles.ts';
import type { RecordedFill } from '../record.ts';
import type { RoundTrip } from './round-trip.ts';
import { type Part, TripBuilder } from './trip-builder.ts';

/**
 * Walks through the fills of one strategy in one market and cuts them into round trips, by average
 * cost and with fees apart (the ledger's convention `separate`).
 *
 * Flat is also what no order could trade away: less than the market's least amount or value, and
 * than a tenth of what the trip opened, such as the dust that a fee in base leaves. It stays in the
 * position, at its cost, for the next trip.
 */
export class PositionWalk {
  readonly #market: Market;
  readonly #step: number;
  /** Less than this is the noise of sums. */
  readonly #nothing: number;
  #held = 0;
  #cost = 0;
  #trip: TripBuilder | undefined;
  /** The fill that left dust, while its order may go on closing. */
  #last: RecordedFill | undefined;

  constructor(market: Market) {
    this.#market = market;
    this.#step = 10 ** -market.amountScale;
    this.#nothing = this.#step * 1e-6;
  }

  /** Takes the next fill. Gives the trips that are known to be over now. */
  *add(fill: RecordedFill): Generator<RoundTrip> {
    if (this.#last?.clientOrderId !== fill.clientOrderId) yield* this.#finishLast();
    this.#last = undefined;
    const { amount, part } = this.#taken(fill);
    const share = this.#closingShare(amount);
    if (share > 0) {
      this.#close(fill, portion(part, share));
      if (this.#held === 0 || share < 1) yield* this.#finish(fill.time);
      else if (this.#isDust(fill.price)) this.#last = fill;
      if (fill.completes === true) yield* this.#finishLast();
    }
    if (share < 1) this.#open(fill, portion(part, 1 - share));
  }

  /** No fill follows. Gives the last trip, which may still be open. */
  *end(): Generator<RoundTrip> {
    yield* this.#finishLast();
    if (this.#trip !== undefined && this.#trip.opened > 0) yield this.#trip.build(undefined);
  }

  /** What a fill moved: a fee in base lessens the amount and is valued at the fill's own price. */
  #taken(fill: RecordedFill): { amount: number; part: Part } {
    const filled = fill.side === 'buy' ? fill.amount : -fill.amount;
    const value = toDouble(fill.value);
    const fee = toDouble(fill.fee);
    if (fill.feeCurrency !== this.#market.base) {
      return { amount: filled, part: { amount: fill.amount, value, fee } };
    }
    const worth = (fee * value) / fill.amount;
    const amount = filled - fee;
    const sign = fill.side === 'buy' ? 1 : -1;
    return { amount, part: { amount: sign * amount, value: value - sign * worth, fee: worth } };
  }

  /** The share of a fill that closes what is held: all of it where they are all but equal. */
  #closingShare(amount: number): number {
    if (this.#held === 0 || this.#held > 0 === amount > 0) return 0;
    const opens = Math.abs(amount) - Math.abs(this.#held);
    return opens < this.#nothing ? 1 : Math.abs(this.#held / amount);
  }

  #close(fill: RecordedFill, part: Part): void {
    const isLong = this.#held > 0;
    const released = this.#cost * Math.min(1, part.amount / Math.abs(this.#held));
    this.#cost -= released;
    this.#held -= isLong ? part.amount : -part.amount;
    if (Math.abs(this.#held) < this.#nothing) {
      this.#held = 0;
      this.#cost = 0;
    }
    const trip = this.#current(fill);
    trip.close(part, (isLong ? part.value : -part.value) - released);
  }

  #open(fill: RecordedFill, part: Part): void {
    const isLong = fill.side === 'buy';
    this.#held += isLong ? part.amount : -part.amount;
    this.#cost += isLong ? part.value : -part.value;
    this.#current(fill).open(isLong ? 'long' : 'short', part);
  }

  #current(fill: RecordedFill): TripBuilder {
    this.#trip ??= new TripBuilder(fill);
    this.#trip.count(fill);
    return this.#trip;
  }

  #isDust(price: number): boolean {
    const opened = this.#trip?.opened ?? 0;
    const { minAmount, minSize } = this.#market;
    const held = Math.abs(this.#held);
    const isBelowLeast = held < Math.max(minAmount, this.#step) || held * price < minSize;
    return isBelowLeast && held < opened / 10;
  }

  *#finishLast(): Generator<RoundTrip> {
    if (this.#last !== undefined) yield* this.#finish(this.#last.time);
    this.#last = undefined;
  }

  /** What closes dust that was left opens no trip, and ends none. */
  *#finish(time: number): Generator<RoundTrip> {
    if (this.#trip === undefined || this.#trip.opened === 0) return;
    yield this.#trip.build(time);
    this.#trip = undefined;
  }
}

function portion({ amount, value, fee }: Part, share: number): Part {
  return { amount: amount * share, value: value * share, fee: fee * share };
}
