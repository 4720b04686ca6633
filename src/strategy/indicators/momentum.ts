import type { OperatorFunction } from 'rxjs';
import { Ema, Sma, Wilder } from './averages.ts';
import { type Bar, type Indicator, indicator, optionsOf } from './indicator.ts';
import { Lagged, RollingMax, RollingMin } from './rolling.ts';

/** Wilder's relative strength index, 0 to 100; 50 when nothing moved. */
export class Rsi implements Indicator<number, number> {
  readonly #gain: Wilder;
  readonly #loss: Wilder;
  #last: number | undefined;

  constructor(length: number) {
    this.#gain = new Wilder(length);
    this.#loss = new Wilder(length);
  }

  next(value: number): number | undefined {
    if (!Number.isFinite(value)) return undefined;
    const last = this.#last;
    this.#last = value;
    if (last === undefined) return undefined;
    const gain = this.#gain.next(Math.max(0, value - last));
    const loss = this.#loss.next(Math.max(0, last - value));
    if (gain === undefined || loss === undefined) return undefined;
    return gain + loss === 0 ? 50 : (100 * gain) / (gain + loss);
  }
}

export interface MacdOptions {
  /** Length of the fast EMA. Default: 12. */
  readonly fast?: number;
  /** Length of the slow EMA. Default: 26. */
  readonly slow?: number;
  /** Length of the EMA over their difference. Default: 9. */
  readonly signal?: number;
}

export interface MacdValue {
  /** Fast minus slow EMA. */
  readonly macd: number;
  readonly signal: number;
  /** `macd` minus `signal`. */
  readonly histogram: number;
}

/** Moving average convergence divergence. */
export class Macd implements Indicator<number, MacdValue> {
  readonly #fast: Ema;
  readonly #slow: Ema;
  readonly #signal: Ema;

  constructor(options: MacdOptions = {}) {
    const {
      fast = 12,
      slow = 26,
      signal = 9,
    } = optionsOf('the MACD', options, ['fast', 'slow', 'signal']);
    this.#fast = new Ema(fast);
    this.#slow = new Ema(slow);
    this.#signal = new Ema(signal);
  }

  next(value: number): MacdValue | undefined {
    const fast = this.#fast.next(value);
    const slow = this.#slow.next(value);
    if (fast === undefined || slow === undefined) return undefined;
    const macd = fast - slow;
    const signal = this.#signal.next(macd);
    return signal === undefined ? undefined : { macd, signal, histogram: macd - signal };
  }
}

/** Rate of change against `length` values ago, in percent. */
export class Roc implements Indicator<number, number> {
  readonly #lagged: Lagged;

  constructor(length: number) {
    this.#lagged = new Lagged(length);
  }

  next(value: number): number | undefined {
    const old = this.#lagged.next(value);
    return old === undefined ? undefined : (100 * (value - old)) / old;
  }
}

export interface StochasticOptions {
  /** Candles over which the highest high and lowest low are taken. Default: 14. */
  readonly length?: number;
  /** Length of the SMA that makes `k`. Default: 3 (the "slow" oscillator); 1 for the fast one. */
  readonly smoothing?: number;
  /** Length of the SMA over `k` that makes `d`. Default: 3. */
  readonly signal?: number;
}

export interface StochasticValue {
  readonly k: number;
  readonly d: number;
}

/** Stochastic oscillator: where the close stands between lowest low and highest high, 0 to 100. */
export class Stochastic implements Indicator<Bar, StochasticValue> {
  readonly #high: RollingMax;
  readonly #low: RollingMin;
  readonly #smoothing: Sma;
  readonly #signal: Sma;

  constructor(options: StochasticOptions = {}) {
    const {
      length = 14,
      smoothing = 3,
      signal = 3,
    } = optionsOf('the stochastic', options, ['length', 'smoothing', 'signal']);
    this.#high = new RollingMax(length);
    this.#low = new RollingMin(length);
    this.#smoothing = new Sma(smoothing);
    this.#signal = new Sma(signal);
  }

  next(bar: Bar): StochasticValue | undefined {
    const high = this.#high.next(bar.high);
    const low = this.#low.next(bar.low);
    if (high === undefined || low === undefined) return undefined;
    const k = this.#smoothing.next(high === low ? 0 : (100 * (bar.close - low)) / (high - low));
    const d = k === undefined ? undefined : this.#signal.next(k);
    return k === undefined || d === undefined ? undefined : { k, d };
  }
}

/** Williams' %R: where the close stands below the highest high, -100 to 0; 0 when nothing moved. */
export class WilliamsR implements Indicator<Bar, number> {
  readonly #high: RollingMax;
  readonly #low: RollingMin;

  constructor(length: number) {
    this.#high = new RollingMax(length);
    this.#low = new RollingMin(length);
  }

  next(bar: Bar): number | undefined {
    const high = this.#high.next(bar.high);
    const low = this.#low.next(bar.low);
    if (high === undefined || low === undefined) return undefined;
    return high === low ? 0 : (100 * (bar.close - high)) / (high - low);
  }
}

/** Wilder's relative strength index, 0 to 100. Warm after `length` + 1 values. */
export const rsi = (length = 14): OperatorFunction<number, number> =>
  indicator(() => new Rsi(length));

/** Moving average convergence divergence. Warm after `slow` + `signal` - 1 values. */
export const macd = (options?: MacdOptions): OperatorFunction<number, MacdValue> =>
  indicator(() => new Macd(options));

/** Rate of change in percent. Warm after `length` + 1 values. */
export const roc = (length: number): OperatorFunction<number, number> =>
  indicator(() => new Roc(length));

/** Stochastic oscillator over candles. Warm after `length` + `smoothing` + `signal` - 2 candles. */
export const stochastic = (options?: StochasticOptions): OperatorFunction<Bar, StochasticValue> =>
  indicator(() => new Stochastic(options));

/** Williams' %R over candles, -100 to 0. Warm after `length` candles. */
export const williamsR = (length = 14): OperatorFunction<Bar, number> =>
  indicator(() => new WilliamsR(length));
