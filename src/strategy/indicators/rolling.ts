import { type Indicator, lengthOf } from './indicator.ts';

/**
 * Folds the newest `length` values with an associative `combine`, in amortised constant time.
 *
 * No value is ever subtracted again. The window is split into an older block, stored as the folds
 * of its suffixes, and a newer block, stored as one running fold; when the older block is used up,
 * the newer takes its place. So a sum cannot drift, and the same code serves sums and extremes.
 * Source: van Herk (1992), Gil and Werman (1993), for running extremes.
 */
class RollingFold implements Indicator<number, number> {
  readonly #combine: (older: number, newer: number) => number;
  readonly #suffixes: Float64Array;
  #newer = 0;
  #at = 0;
  #warm = false;

  constructor(length: number, combine: (older: number, newer: number) => number) {
    this.#suffixes = new Float64Array(length);
    this.#combine = combine;
  }

  next(value: number): number | undefined {
    if (!Number.isFinite(value)) return undefined;
    const suffixes = this.#suffixes;
    suffixes[this.#at] = value;
    this.#newer = this.#at === 0 ? value : this.#combine(this.#newer, value);
    this.#at++;
    if (this.#at === suffixes.length) return this.#turn();
    return this.#warm ? this.#combine(suffixes[this.#at]!, this.#newer) : undefined;
  }

  #turn(): number {
    const suffixes = this.#suffixes;
    for (let i = suffixes.length - 2; i >= 0; i--) {
      suffixes[i] = this.#combine(suffixes[i]!, suffixes[i + 1]!);
    }
    this.#at = 0;
    this.#warm = true;
    return suffixes[0]!;
  }
}

const add = (a: number, b: number): number => a + b;

/** Sum of the newest `length` values; does not drift, however long it runs. */
export class RollingSum extends RollingFold {
  constructor(length: number) {
    super(lengthOf('a rolling sum', length), add);
  }
}

/** Greatest of the newest `length` values. */
export class RollingMax extends RollingFold {
  constructor(length: number) {
    super(lengthOf('a rolling maximum', length), Math.max);
  }
}

/** Least of the newest `length` values. */
export class RollingMin extends RollingFold {
  constructor(length: number) {
    super(lengthOf('a rolling minimum', length), Math.min);
  }
}

/** Mean and population standard deviation. */
export interface Moments {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Mean and population deviation of the newest `length` values.
 *
 * Uses the two blocks of `RollingFold`, merged by the formula of Chan, Golub and LeVeque (1979):
 * squared differences are summed about the mean of their own block, so that prices far from zero
 * lose no digits.
 */
export class RollingMoments implements Indicator<number, Moments> {
  readonly #means: Float64Array;
  readonly #squares: Float64Array;
  #mean = 0;
  #square = 0;
  #at = 0;
  #warm = false;

  constructor(length: number) {
    this.#means = new Float64Array(lengthOf('rolling moments', length));
    this.#squares = new Float64Array(length);
  }

  next(value: number): Moments | undefined {
    if (!Number.isFinite(value)) return undefined;
    const length = this.#means.length;
    this.#means[this.#at] = value;
    this.#grow(value);
    if (this.#at === length) {
      const moments = { mean: this.#mean, deviation: Math.sqrt(this.#square / length) };
      this.#turn();
      return moments;
    }
    return this.#warm ? this.#merged() : undefined;
  }

  /** Welford's step for the newer block. */
  #grow(value: number): void {
    if (this.#at === 0) this.#mean = this.#square = 0;
    this.#at++;
    const difference = value - this.#mean;
    this.#mean += difference / this.#at;
    this.#square += difference * (value - this.#mean);
  }

  #merged(): Moments {
    const length = this.#means.length;
    const share = this.#at / length;
    const difference = this.#mean - this.#means[this.#at]!;
    const mean = this.#means[this.#at]! + difference * share;
    const between = difference * difference * share * (length - this.#at);
    const square = this.#squares[this.#at]! + this.#square + between;
    return { mean, deviation: Math.sqrt(square / length) };
  }

  /** Turns the values of the full newer block into the moments of its suffixes. */
  #turn(): void {
    let mean = 0;
    let square = 0;
    for (let i = this.#means.length - 1, count = 1; i >= 0; i--, count++) {
      const value = this.#means[i]!;
      const difference = value - mean;
      mean += difference / count;
      square += difference * (value - mean);
      this.#means[i] = mean;
      this.#squares[i] = square;
    }
    this.#at = 0;
    this.#warm = true;
  }
}

/** The value `length` inputs ago. */
export class Lagged implements Indicator<number, number> {
  readonly #ring: Float64Array;
  #count = 0;

  constructor(length: number) {
    this.#ring = new Float64Array(lengthOf('a lag', length));
  }

  next(value: number): number | undefined {
    if (!Number.isFinite(value)) return undefined;
    const at = this.#count % this.#ring.length;
    const old = this.#count >= this.#ring.length ? this.#ring[at] : undefined;
    this.#ring[at] = value;
    this.#count++;
    return old;
  }
}
