import type { OperatorFunction } from 'rxjs';
import { Ema, Wilder } from './averages.ts';
import { type Bands, type Bar, type Indicator, indicator, optionsOf } from './indicator.ts';
import { RollingMax, RollingMin, RollingMoments } from './rolling.ts';

/** The range of a candle, including the gap from the previous close. */
export function trueRange({ high, low }: Bar, previousClose: number): number {
  return Math.max(high, previousClose) - Math.min(low, previousClose);
}

/** Wilder's average true range; the first candle only provides its close. */
export class Atr implements Indicator<Bar, number> {
  readonly #average: Wilder;
  #previousClose: number | undefined;

  constructor(length: number) {
    this.#average = new Wilder(length);
  }

  next(bar: Bar): number | undefined {
    const previousClose = this.#previousClose;
    this.#previousClose = bar.close;
    return previousClose === undefined
      ? undefined
      : this.#average.next(trueRange(bar, previousClose));
  }
}

export interface BollingerOptions {
  /** Default: 20. */
  readonly length?: number;
  /** Population standard deviations from the mean to each band. Default: 2. */
  readonly deviations?: number;
}

/** Bollinger bands: the SMA and a number of population deviations around it. */
export class Bollinger implements Indicator<number, Bands> {
  readonly #moments: RollingMoments;
  readonly #deviations: number;

  constructor(options: BollingerOptions = {}) {
    const { length = 20, deviations = 2 } = optionsOf('Bollinger bands', options, [
      'length',
      'deviations',
    ]);
    this.#moments = new RollingMoments(length);
    this.#deviations = deviations;
  }

  next(value: number): Bands | undefined {
    const moments = this.#moments.next(value);
    if (moments === undefined) return undefined;
    const reach = this.#deviations * moments.deviation;
    return { upper: moments.mean + reach, middle: moments.mean, lower: moments.mean - reach };
  }
}

/** Donchian channel: highest high and lowest low of the `length` candles BEFORE this one. */
export class Donchian implements Indicator<Bar, Bands> {
  readonly #high: RollingMax;
  readonly #low: RollingMin;
  #previous: Bands | undefined;

  constructor(length: number) {
    this.#high = new RollingMax(length);
    this.#low = new RollingMin(length);
  }

  next(bar: Bar): Bands | undefined {
    const previous = this.#previous;
    const upper = this.#high.next(bar.high);
    const lower = this.#low.next(bar.low);
    if (upper !== undefined && lower !== undefined) {
      this.#previous = { upper, middle: (upper + lower) / 2, lower };
    }
    return previous;
  }
}

export interface KeltnerOptions {
  /** Length of the EMA in the middle. Default: 20. */
  readonly length?: number;
  /** Length of the average true range. Default: 10. */
  readonly atrLength?: number;
  /** Average true ranges from the middle to each band. Default: 2. */
  readonly multiplier?: number;
}

/** Keltner channel: the EMA of the close and a number of average true ranges around it. */
export class Keltner implements Indicator<Bar, Bands> {
  readonly #ema: Ema;
  readonly #atr: Atr;
  readonly #multiplier: number;

  constructor(options: KeltnerOptions = {}) {
    const {
      length = 20,
      atrLength = 10,
      multiplier = 2,
    } = optionsOf('the Keltner channel', options, ['length', 'atrLength', 'multiplier']);
    this.#ema = new Ema(length);
    this.#atr = new Atr(atrLength);
    this.#multiplier = multiplier;
  }

  next(bar: Bar): Bands | undefined {
    const middle = this.#ema.next(bar.close);
    const range = this.#atr.next(bar);
    if (middle === undefined || range === undefined) return undefined;
    const reach = this.#multiplier * range;
    return { upper: middle + reach, middle, lower: middle - reach };
  }
}

/** Wilder's average true range over candles. Warm after `length` + 1 candles. */
export const atr = (length = 14): OperatorFunction<Bar, number> => indicator(() => new Atr(length));

/** Bollinger bands. Warm after `length` values. */
export const bollinger = (options?: BollingerOptions): OperatorFunction<number, Bands> =>
  indicator(() => new Bollinger(options));

/** Donchian channel of the candles before each one. Warm after `length` + 1 candles. */
export const donchian = (length = 20): OperatorFunction<Bar, Bands> =>
  indicator(() => new Donchian(length));

/** Keltner channel over candles. Warm after the longer of `length` and `atrLength` + 1 candles. */
export const keltner = (options?: KeltnerOptions): OperatorFunction<Bar, Bands> =>
  indicator(() => new Keltner(options));
