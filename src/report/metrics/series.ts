import type { Deviation } from '../config.ts';

/**
 * Simple returns, one per period: 0.01 is one percent. NaN is a period whose return is not known:
 * it counts as a period, not as a return. A figure that cannot be worked out is NaN.
 */
export type Returns = Float64Array | readonly number[];

/** How figures of returns are worked out. */
export interface ReturnOptions {
  /** How many periods make a year: 365 for days of a market that never closes. */
  readonly periodsPerYear: number;
  /** `sample` divides by n - 1, `population` by n. Default: `sample`. */
  readonly deviation?: Deviation;
  /** The risk-free return of a period, subtracted for Sharpe. Default: 0. */
  readonly riskFree?: number;
  /** The return of a period below which Sortino counts a shortfall. Default: 0. */
  readonly required?: number;
}

/** Mean and deviation of the known values, by Welford: a flat series deviates by exactly 0. */
export class Moments {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(value: number): void {
    if (Number.isNaN(value)) return;
    this.#count++;
    const delta = value - this.#mean;
    this.#mean += delta / this.#count;
    this.#squares += delta * (value - this.#mean);
  }

  get mean(): number {
    return this.#count === 0 ? Number.NaN : this.#mean;
  }

  deviationOf(kind: Deviation): number {
    if (this.#count < 2) return Number.NaN;
    return Math.sqrt(this.#squares / (kind === 'sample' ? this.#count - 1 : this.#count));
  }
}

export function momentsOf(values: Returns): Moments {
  const moments = new Moments();
  for (const value of values) moments.add(value);
  return moments;
}

/** Deviation of the returns times the root of the periods in a year. */
export function annualVolatility(
  returns: Returns,
  { periodsPerYear, deviation = 'sample' }: ReturnOptions,
): number {
  return momentsOf(returns).deviationOf(deviation) * Math.sqrt(periodsPerYear);
}

/** Mean over deviation of the returns less the risk-free one, times the root of periods a year. */
export function sharpeRatio(
  returns: Returns,
  { periodsPerYear, riskFree = 0, deviation = 'sample' }: ReturnOptions,
): number {
  const moments = momentsOf(returns.map((value) => value - riskFree));
  return (moments.mean / moments.deviationOf(deviation)) * Math.sqrt(periodsPerYear);
}

/** Root of the mean square shortfall over ALL known periods, times the root of periods a year. */
export function downsideRisk(
  returns: Returns,
  { periodsPerYear, required = 0 }: ReturnOptions,
): number {
  const shortfalls = returns.map((value) => Math.min(0, value - required) ** 2);
  return Math.sqrt(momentsOf(shortfalls).mean) * Math.sqrt(periodsPerYear);
}

/** Mean return of a period less the required one, times periods a year, over downside risk. */
export function sortinoArithmetic(returns: Returns, options: ReturnOptions): number {
  const { periodsPerYear, required = 0 } = options;
  const { mean } = momentsOf(returns.map((value) => value - required));
  return (mean * periodsPerYear) / downsideRisk(returns, options);
}
