import type { Market } from '../../domain/index.ts';
import type { PassedPrices, RecordedFill } from '../record.ts';
import { FEE_SCALE } from './average-price.ts';
import type { RoundTrip } from './round-trip.ts';
import { type Part, TripBuilder } from './trip-builder.ts';

/**
 * Walks through the fills of one strategy in one market and cuts them into round trips, by average
 * cost and with fees apart (the ledger's convention `separate`).
 *
 * Dust on either side of flat counts as flat. Dust is
 * - less than an order could trade (one step of amounts, the market's least amount or value), and
 *   less than a tenth of what the trip opened; or,
 * - where fees were taken in base, no more than these fees of the trip and one step, and less than
 *   a tenth of the most that the trip held.
 * It stays in the position, at its cost, for the next trip.
 */
export class PositionWalk {
  readonly #market: Market;
  readonly #step: number;
  /** Less than this is the noise of sums. */
  readonly #nothing: number;
  /** How many of the smallest units, of amounts or of fees in base, make one of base. */
  readonly #units: number;
  #held = 0;
  #cost = 0;
  /** The most that the trip held. */
  #most = 0;
  #trip: TripBuilder | undefined;
  /** The fill that left only dust, as long as its order may fill again and close that too. */
  #last: RecordedFill | undefined;

  constructor(market: Market) {
    this.#market = market;
    this.#step = 10 ** -market.amountScale;
    this.#nothing = this.#step * 1e-6;
    this.#units = 10 ** Math.max(market.amountScale, FEE_SCALE);
  }

  /** Whether a trip is under way: it has opened, and more than dust is left of it. */
  get isHolding(): boolean {
    return this.#trip !== undefined && this.#trip.opened > 0 && this.#last === undefined;
  }

  /** Takes how far the price went since the market's last fill, of whichever strategy. */
  pass(passed: PassedPrices): void {
    this.#trip?.pass(passed);
  }

  /** Takes the next fill. Gives the trips that are now known to be over. */
  *add(fill: RecordedFill): Generator<RoundTrip> {
    if (this.#last?.clientOrderId !== fill.clientOrderId) yield* this.#finishLast();
    this.#last = undefined;
    const { amount, part } = this.#movedBy(fill);
    const shares = this.#shares(amount);
    const closing = portion(part, shares.closing);
    const beyond = portion(part, shares.beyond);
    const turns = shares.closing > 0 && shares.beyond > 0;
    if (turns && this.#isDust(beyond.amount, { fill, part })) {
      const { fee, feeInBase } = part;
      this.#close(fill, { ...closing, fee, feeInBase });
      yield* this.#finish(fill.time);
      this.#hold(fill, beyond);
      return;
    }
    if (shares.closing > 0) {
      this.#close(fill, closing);
      if (this.#held === 0 || turns) yield* this.#finish(fill.time);
      else if (this.#isDust(Math.abs(this.#held), { fill })) this.#last = fill;
      if (fill.completes === true) yield* this.#finishLast();
    }
    if (shares.beyond > 0) this.#open(fill, beyond);
  }

  /** No fill follows. Gives the last trip, which may still be open. */
  *end(): Generator<RoundTrip> {
    yield* this.#finishLast();
    if (this.#trip !== undefined && this.#trip.opened > 0) yield this.#trip.build(undefined);
  }

  /** What a fill moved. A fee in base is taken off the signed amount, at the price of the fill. */
  #movedBy(fill: RecordedFill): { amount: number; part: Part } {
    const { price } = fill;
    const filled = fill.side === 'buy' ? fill.amount : -fill.amount;
    const value = fill.value.toNumber();
    const fee = fill.fee.toNumber();
    if (fill.feeCurrency !== this.#market.base) {
      return { amount: filled, part: { amount: fill.amount, price, value, fee, feeInBase: 0 } };
    }
    const worth = (fee * value) / fill.amount;
    const amount = filled - fee;
    const sign = fill.side === 'buy' ? 1 : -1;
    const net = { amount: sign * amount, price, value: value - sign * worth };
    return { amount, part: { ...net, fee: worth, feeInBase: fee } };
  }

  /** The shares of a fill that close what is held and that open beyond it; noise opens nothing. */
  #shares(amount: number): { closing: number; beyond: number } {
    if (this.#held === 0 || this.#held > 0 === amount > 0) return { closing: 0, beyond: 1 };
    const opens = this.#exact(Math.abs(amount) - Math.abs(this.#held));
    if (opens < this.#nothing) return { closing: 1, beyond: 0 };
    return { closing: Math.abs(this.#held / amount), beyond: opens / Math.abs(amount) };
  }

  /** An amount without the noise of sums, which would be large beside dust. */
  #exact(amount: number): number {
    const units = Math.round(amount * this.#units);
    return Number.isSafeInteger(units) ? units / this.#units : amount;
  }

  #close(fill: RecordedFill, part: Part): void {
    const isLong = this.#held > 0;
    const released = this.#cost * Math.min(1, part.amount / Math.abs(this.#held));
    const left = this.#exact(this.#held - (isLong ? part.amount : -part.amount));
    const isFlat = Math.abs(left) < this.#nothing;
    // Scaled, as `cost - released` would leave dust with the noise of all that was held.
    this.#cost = isFlat ? 0 : this.#cost * (left / this.#held);
    this.#held = isFlat ? 0 : left;
    const trip = this.#current(fill);
    trip.close(part, (isLong ? part.value : -part.value) - released);
  }

  #open(fill: RecordedFill, part: Part): void {
    this.#hold(fill, part);
    this.#most = Math.max(this.#most, Math.abs(this.#held));
    this.#current(fill).open(fill.side === 'buy' ? 'long' : 'short', part);
  }

  #hold({ side }: RecordedFill, { amount, value }: Part): void {
    const sign = side === 'buy' ? 1 : -1;
    this.#held = this.#exact(this.#held + sign * amount);
    this.#cost += sign * value;
  }

  #current(fill: RecordedFill): TripBuilder {
    this.#trip ??= new TripBuilder(fill, this.#market);
    this.#trip.count(fill);
    return this.#trip;
  }

  /**
   * Whether what a trip leaves is dust, or what a fill leaves that only closed earlier dust.
   * `part`: that of the fill, if the trip has not taken it yet.
   */
  #isDust(left: number, { fill, part }: { fill: RecordedFill; part?: Part }): boolean {
    const trip = this.#trip;
    const isOfDust = trip === undefined || trip.opened === 0;
    const opened = isOfDust ? (part?.amount ?? 0) : trip.opened;
    const { minAmount, minSize } = this.#market;
    // Sums of doubles: a trifle less than one step is one step.
    const most = left + this.#nothing;
    const isBelowLeast = most < Math.max(minAmount, this.#step) || most * fill.price < minSize;
    if (isBelowLeast && left < opened / 10) return true;
    const feesInBase = (isOfDust ? 0 : trip.feesInBase) + (part?.feeInBase ?? 0);
    // An order that makes up for a fee has whole steps: up to one step is left beside the fee.
    const slack = feesInBase > 0 ? feesInBase + this.#step : 0;
    return left <= slack + this.#nothing && left < (isOfDust ? opened : this.#most) / 10;
  }

  *#finishLast(): Generator<RoundTrip> {
    if (this.#last !== undefined) yield* this.#finish(this.#last.time);
    this.#last = undefined;
  }

  /** Ends the trip, if there is one: fills that only close earlier dust do not make one. */
  *#finish(time: number): Generator<RoundTrip> {
    if (this.#trip === undefined || this.#trip.opened === 0) return;
    yield this.#trip.build(time);
    this.#trip = undefined;
    this.#most = 0;
  }
}

function portion({ amount, price, value, fee, feeInBase }: Part, share: number): Part {
  const charged = { fee: fee * share, feeInBase: feeInBase * share };
  return { amount: amount * share, price, value: value * share, ...charged };
}
