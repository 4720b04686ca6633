import type { Market } from '../../domain/index.ts';
import { withoutNoise } from '../doubles.ts';
import type { PassedPrices, PriceRange, RecordedFill } from '../record.ts';
import { AveragePrice, FEE_SCALE } from './average-price.ts';
import type { RoundTrip } from './round-trip.ts';

/** A part of a fill: base currency (positive), its value and the fee's worth in quote. */
export interface Part {
  readonly amount: number;
  readonly price: number;
  readonly value: number;
  readonly fee: number;
  /** The fee in the base currency: zero where it was taken in another. */
  readonly feeInBase: number;
}

/** How far sums of doubles stray, as a share of the largest of them. */
const NOISE = 1e-12;

/** Adds up one round trip, fill by fill. */
export class TripBuilder {
  /** The first that opened, once one has: what sells dust of a trip before begins none. */
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
  /** How far the price went until the latest fill, and behind it too. */
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

  /** Counts a fill; one that closes dust and opens the trip as well begins it anew. */
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

  /** Takes how far the price went between two fills of the market behind this trip's first. */
  pass({ whole, underWay }: PassedPrices): void {
    if (whole !== undefined) this.#since.take(whole);
    // Of a candle that had begun before the trip nobody knows which prices were behind that.
    if (underWay !== undefined && underWay.from >= this.#first.time) this.#since.take(underWay);
  }

  open(side: 'long' | 'short', part: Part): void {
    this.#side = side;
    this.#opened += part.amount;
    this.#openedValue += part.value;
    this.#entry.add(part.price, part.amount);
    this.#charge(part);
  }

  /** What closes before anything was opened is dust of a trip before: it has no say in the exit. */
  close(part: Part, realized: number): void {
    if (this.#opened > 0) this.#exit.add(part.price, part.amount);
    this.#realized += realized;
    this.#charge(part);
  }

  build(closeTime: number | undefined): RoundTrip {
    const { market, strategy, time } = this.#first;
    const money = (value: number): number => withoutNoise(value, this.#openedValue);
    const profit = money(this.#realized - this.#fees);
    // What passes behind its last fill is none of a trip that is over.
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

  /** The mean entry price lies within the range, which has the fills' own prices. */
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

/** The range of prices that come one after the other; the infinite ends of none before the first. */
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
