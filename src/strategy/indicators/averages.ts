import type { OperatorFunction } from 'rxjs';
import { type Indicator, indicator, lengthOf } from './indicator.ts';
import { RollingSum } from './rolling.ts';

/** Simple moving average: the mean of the newest `length` values. */
export class Sma implements Indicator<number, number> {
  readonly #length: number;
  readonly #sum: RollingSum;

  constructor(length: number) {
    this.#length = lengthOf('an SMA', length);
    this.#sum = new RollingSum(length);
  }

  next(value: number): number | undefined {
    const sum = this.#sum.next(value);
    return sum === undefined ? undefined : sum / this.#length;
  }
}

/** Moves by a fixed fraction towards each value, from the mean of the first `length` values on. */
class Smoothed implements Indicator<number, number> {
  readonly #length: number;
  readonly #fraction: number;
  #count = 0;
  #value = 0;

  constructor(length: number, fraction: number) {
    this.#length = length;
    this.#fraction = fraction;
  }

  next(value: number): number | undefined {
    if (!Number.isFinite(value)) return undefined;
    if (this.#count === this.#length) {
      this.#value += this.#fraction * (value - this.#value);
      return this.#value;
    }
    this.#count++;
    this.#value += value;
    if (this.#count < this.#length) return undefined;
    this.#value /= this.#length;
    return this.#value;
  }
}

/**
 * Exponential moving average: smoothing 2 / (length + 1), seeded with the SMA of the same length.
 */
export class Ema extends Smoothed {
  constructor(length: number) {
    super(lengthOf('an EMA', length), 2 / (length + 1));
  }
}

/** Triple exponential moving average: lags less, as averages of the average are subtracted. */
export class Tema implements Indicator<number, number> {
  readonly #once: Ema;
  readonly #twice: Ema;
  readonly #thrice: Ema;

  constructor(length: number) {
    this.#once = new Ema(lengthOf('a TEMA', length));
    this.#twice = new Ema(length);
    this.#thrice = new Ema(length);
  }

  next(value: number): number | undefined {
    const once = this.#once.next(value);
    const twice = once === undefined ? undefined : this.#twice.next(once);
    const thrice = twice === undefined ? undefined : this.#thrice.next(twice);
    return thrice === undefined ? undefined : 3 * once! - 3 * twice! + thrice;
  }
}

/** Wilder's smoothing: 1 / length, seeded with the SMA of the same length. */
export class Wilder extends Smoothed {
  constructor(length: number) {
    super(lengthOf("Wilder's average", length), 1 / length);
  }
}

/**
 * Linearly weighted moving average: weight 1 for the oldest, `length` for the newest value.
 *
 * The window is split into an older and a newer block, as in `RollingFold`, so that it cannot
 * drift.
 */
export class Wma implements Indicator<number, number> {
  readonly #length: number;
  readonly #weightedSuffixes: Float64Array;
  readonly #values: Float64Array;
  #sum = 0;
  #weighted = 0;
  #at = 0;
  #warm = false;

  constructor(length: number) {
    this.#length = lengthOf('a WMA', length);
    this.#values = new Float64Array(length);
    this.#weightedSuffixes = new Float64Array(length);
  }

  next(value: number): number | undefined {
    if (!Number.isFinite(value)) return undefined;
    if (this.#at === 0) this.#sum = this.#weighted = 0;
    this.#values[this.#at] = value;
    this.#at++;
    this.#sum += value;
    this.#weighted += this.#at * value;
    if (this.#at === this.#length) return this.#turn();
    if (!this.#warm) return undefined;
    const older = this.#length - this.#at;
    return this.#mean(this.#weightedSuffixes[this.#at]! + this.#weighted + older * this.#sum);
  }

  #turn(): number {
    let sum = 0;
    let weighted = 0;
    for (let i = this.#length - 1; i >= 0; i--) {
      sum += this.#values[i]!;
      weighted += sum;
      this.#weightedSuffixes[i] = weighted;
    }
    this.#at = 0;
    this.#warm = true;
    return this.#mean(weighted);
  }

  #mean(weighted: number): number {
    return weighted / ((this.#length * (this.#length + 1)) / 2);
  }
}

/** Simple moving average. Warm after `length` values. */
export const sma = (length: number): OperatorFunction<number, number> =>
  indicator(() => new Sma(length));

/** Exponential moving average, seeded with the SMA. Warm after `length` values. */
export const ema = (length: number): OperatorFunction<number, number> =>
  indicator(() => new Ema(length));

/** Linearly weighted moving average. Warm after `length` values. */
export const wma = (length: number): OperatorFunction<number, number> =>
  indicator(() => new Wma(length));

/** Triple exponential moving average. Warm after 3 x `length` - 2 values. */
export const tema = (length: number): OperatorFunction<number, number> =>
  indicator(() => new Tema(length));
