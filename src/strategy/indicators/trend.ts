import type { OperatorFunction } from 'rxjs';
import { Wilder } from './averages.ts';
import { Atr, trueRange } from './channels.ts';
import { type Bar, type Indicator, indicator, optionsOf } from './indicator.ts';

export interface AdxValue {
  /** Strength of the trend, whichever way it goes, 0 to 100. */
  readonly adx: number;
  /** Share of the range that went up, in percent. */
  readonly plus: number;
  /** Share of the range that went down, in percent. */
  readonly minus: number;
}

/** Wilder's average directional index. */
export class Adx implements Indicator<Bar, AdxValue> {
  readonly #range: Wilder;
  readonly #up: Wilder;
  readonly #down: Wilder;
  readonly #average: Wilder;
  #previous: Bar | undefined;

  constructor(length: number) {
    this.#range = new Wilder(length);
    this.#up = new Wilder(length);
    this.#down = new Wilder(length);
    this.#average = new Wilder(length);
  }

  next(bar: Bar): AdxValue | undefined {
    const previous = this.#previous;
    this.#previous = bar;
    if (previous === undefined) return undefined;
    const rise = bar.high - previous.high;
    const fall = previous.low - bar.low;
    const range = this.#range.next(trueRange(bar, previous.close));
    const up = this.#up.next(rise > fall ? Math.max(0, rise) : 0);
    const down = this.#down.next(fall > rise ? Math.max(0, fall) : 0);
    if (range === undefined || up === undefined || down === undefined) return undefined;
    const adx = this.#average.next(up + down === 0 ? 0 : (100 * Math.abs(up - down)) / (up + down));
    if (adx === undefined) return undefined;
    const percent = range === 0 ? 0 : 100 / range;
    return { adx, plus: up * percent, minus: down * percent };
  }
}

export interface SupertrendOptions {
  /** Length of the average true range. Default: 10. */
  readonly length?: number;
  /** Average true ranges from the candle's middle to the line. Default: 3. */
  readonly multiplier?: number;
}

export interface SupertrendValue {
  readonly trend: 'up' | 'down';
  /** The trailing stop: below the price in an uptrend, above it in a downtrend. */
  readonly line: number;
}

/** Supertrend: a stop that trails by a multiple of the ATR and changes sides when crossed. */
export class Supertrend implements Indicator<Bar, SupertrendValue> {
  readonly #atr: Atr;
  readonly #multiplier: number;
  #upper = Infinity;
  #lower = -Infinity;
  #up: boolean | undefined;
  #previousClose = 0;

  constructor(options: SupertrendOptions = {}) {
    const { length = 10, multiplier = 3 } = optionsOf('the supertrend', options, [
      'length',
      'multiplier',
    ]);
    this.#atr = new Atr(length);
    this.#multiplier = multiplier;
  }

  next(bar: Bar): SupertrendValue | undefined {
    const range = this.#atr.next(bar);
    const previousClose = this.#previousClose;
    this.#previousClose = bar.close;
    if (range === undefined) return undefined;
    const middle = (bar.high + bar.low) / 2;
    const upper = middle + this.#multiplier * range;
    const lower = middle - this.#multiplier * range;
    if (upper < this.#upper || previousClose > this.#upper) this.#upper = upper;
    if (lower > this.#lower || previousClose < this.#lower) this.#lower = lower;
    const wasUp = this.#up ?? bar.close >= middle;
    this.#up = bar.close > (wasUp ? this.#lower : this.#upper);
    return this.#up ? { trend: 'up', line: this.#lower } : { trend: 'down', line: this.#upper };
  }
}

/** Wilder's average directional index over candles. Warm after 2 x `length` candles. */
export const adx = (length = 14): OperatorFunction<Bar, AdxValue> =>
  indicator(() => new Adx(length));

/** Supertrend over candles. Warm after `length` + 1 candles. */
export const supertrend = (options?: SupertrendOptions): OperatorFunction<Bar, SupertrendValue> =>
  indicator(() => new Supertrend(options));
