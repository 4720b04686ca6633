import type { Market } from '../../domain/index.ts';
import { withoutNoise } from '../doubles.ts';
import type { PassedPrices, PriceRange, RecordedFill } from '../record.ts';
import { AveragePrice, FEE_SCALE } from './average-price.ts';
import type { RoundTrip } from './round-trip.ts';

/** A part of a fill: its amount in base (positive), its value and the worth of its fee in quote. */
export interface Part {
  readonly amount: number;
  readonly price: number;
  readonly value: number;
  readonly fee: number;
  /** The fee in the base currency: zero where it was taken in another. */
  readonly feeInBase: number;
}

/** How far sums of doubles stray, as a share of the sum. */
const NOISE = 1e-12;

/** Adds up one round trip, fill by fill. */
export class TripBuilder {
  /** The fill that opened the trip; until one has, the latest that closed earlier dust. */
  #first: RecordedFill;
  readonly #amountScale: number;
  #side: 'long' | 'short';
  #opened = 0;
  #feesInBase = 0;
  #openedValue = 0;
  #realized = 0;
  #fees = 0;
  #fills = 0;
  #rate: number | undefined;
  readonly #entry: AveragePrice;
  readonly #exit: AveragePrice;
  /** How far the price went up to the latest fill, and how far since. */
  readonly #range = new GrowingRange();
  readonly #since = new GrowingRange();

  constructor(first: RecordedFill, market: Market) {
    this.#first = first;
    this.#amountScale = market.amountScale;
    this.#side = first.side === 'buy' ? 'long' : 'short';
    this.#entry = new AveragePrice(market);
    this.#exit = new AveragePrice(market);
  }

  /** Base currency opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Base currency that fees took so far. */
  get feesInBase(): number {
    return this.#feesInBase;
  }

  /** Counts a fill. Until the trip has opened, each fill begins it anew, and counts once. */
  count(fill: RecordedFill): void {
    if (this.#opened === 0) this.#begin(fill);
    this.#fills++;
    this.#rate = fill.rate;
    this.#range.take(this.#since);
    this.#range.takePrice(fill.price);
  }

  #begin(fill: RecordedFill): void {
    this.#first = fill;
    this.#fills = 0;
    this.#range.clear();
    this.#since.clear();
  }

  /** Takes how far the price went between two fills of the market after this trip's first. */
  pass({ whole, underWay }: PassedPrices): void {
    if (whole !== undefined) this.#since.take(whole);
    // In a candle that began before the trip, nobody knows which prices came after the first fill.
    if (underWay !== undefined && underWay.from >= this.#first.time) this.#since.take(underWay);
  }

  open(side: 'long' | 'short', part: Part): void {
    this.#side = side;
    this.#opened += part.amount;
    this.#openedValue += part.value;
    this.#entry.add(part.price, part.amount);
    this.#charge(part);
  }

  /** What closes before anything opened is earlier dust: the exit price leaves it out. */
  close(part: Part, realized: number): void {
    if (this.#opened > 0) this.#exit.add(part.price, part.amount);
    this.#realized += realized;
    this.#charge(part);
  }

  build(closeTime: number | undefined): RoundTrip {
    const { market, strategy, time } = this.#first;
    const money = (value: number): number => withoutNoise(value, this.#openedValue);
    const profit = money(this.#realized - this.#fees);
    // What passed after the last fill belongs only to a trip that is still open.
    if (closeTime === undefined) this.#range.take(this.#since);
    return {
      market,
      strategy,
      side: this.#side,
      openTime: time,
      closeTime,
      amount: this.#amount(),
      entryPrice: this.#entryPrice(),
      exitPrice: this.#exit.value,
      entryValue: money(this.#openedValue),
      fees: money(this.#fees),
      profit,
      profitShare: withoutNoise(profit / this.#openedValue, 1),
      fills: this.#fills,
      rate: this.#rate,
      ...this.#excursions(),
    };
  }

  #entryPrice(): number {
    return this.#entry.value ?? Number.NaN;
  }

  /** The range holds the fills' own prices, so the mean entry price lies within it. */
  #excursions(): Pick<RoundTrip, 'adverse' | 'favourable'> {
    const entryPrice = this.#entryPrice();
    const move = (price: number): number => withoutNoise(price / entryPrice - 1, 1);
    const fall = move(this.#range.low);
    const rise = move(this.#range.high);
    return this.#side === 'long'
      ? { adverse: fall, favourable: rise }
      : { adverse: 0 - rise, favourable: 0 - fall };
  }

  #charge({ fee, feeInBase }: Part): void {
    this.#fees += fee;
    this.#feesInBase += feeInBase;
  }

  /** What was opened, without the noise of the sum. */
  #amount(): number {
    const opened = this.#opened;
    for (const scale of [this.#amountScale, FEE_SCALE]) {
      const exact = Number(opened.toFixed(scale));
      if (Math.abs(exact - opened) <= opened * NOISE) return exact;
    }
    return opened;
  }
}

/** The range of prices that come one after another; its ends are infinite before the first. */
class GrowingRange implements PriceRange {
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;

  take({ low, high }: PriceRange): void {
    if (low < this.low) this.low = low;
    if (high > this.high) this.high = high;
  }

  takePrice(price: number): void {
    this.take({ low: price, high: price });
  }

  clear(): void {
    this.low = Number.POSITIVE_INFINITY;
    this.high = Number.NEGATIVE_INFINITY;
  }
}
