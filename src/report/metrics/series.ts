import type { Deviation } from '../config.ts';

/**
 * Figures of a series of returns, one a period. A return is simple: 0.01 is one percent; NaN is a
 * period whose return is not known: it counts as a period, not as a return. What cannot be worked
 * out is NaN.
 */
export type Returns = Float64Array | readonly number[];

/** How many periods make a year: 365 for days of a market that never closes. */
export interface Annual {
  readonly periodsPerYear: number;
}

/** How a deviation is taken. */
export interface Spread {
  /** `sample` divides by n - 1, `population` by n. Default: `sample`. */
  readonly deviation?: Deviation;
}

/** Mean and deviation of the known values, by Welford: a flat series has none. */
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

  /** The sample deviation (n - 1). */
  get deviation(): number {
    return this.deviationOf('sample');
  }

  deviationOf(kind: Deviation): number {
    if (this.#count < 2) return Number.NaN;
    return Math.sqrt(this.#squares / (kind === 'sample' ? this.#count - 1 : this.#count));
  }
}

/** The moments of a series. */
export function momentsOf(values: Returns): Moments {
  const moments = new Moments();
  for (let at = 0; at < values.length; at++) moments.add(values[at]!);
  return moments;
}

/** What a starting value has become after each period; as a return where the value is 0. */
export function cumulativeReturns(returns: Returns, startingValue = 0): Float64Array {
  const cumulative = new Float64Array(returns.length);
  let growth = 1;
  for (let at = 0; at < returns.length; at++) {
    growth *= 1 + known(returns[at]!);
    cumulative[at] = startingValue === 0 ? growth - 1 : growth * startingValue;
  }
  return cumulative;
}

/** The last of the cumulative returns. */
export function totalReturn(returns: Returns, startingValue = 0): number {
  return cumulativeReturns(returns, startingValue).at(-1) ?? Number.NaN;
}

/** The deepest fall from a peak, the start being one: zero or negative. */
export function maxDrawdown(returns: Returns): number {
  if (returns.length === 0) return Number.NaN;
  let growth = 1;
  let peak = 1;
  let deepest = 0;
  for (let at = 0; at < returns.length; at++) {
    growth *= 1 + known(returns[at]!);
    peak = Math.max(peak, growth);
    deepest = Math.min(deepest, growth / peak - 1);
  }
  return deepest;
}

/** The return a year that compounds to the whole, by the count of periods. */
export function compoundAnnualReturn(returns: Returns, { periodsPerYear }: Annual): number {
  return (1 + totalReturn(returns)) ** (periodsPerYear / returns.length) - 1;
}

/** Deviation of the returns times the root of the periods in a year. */
export function annualVolatility(
  returns: Returns,
  { periodsPerYear, deviation = 'sample' }: Annual & Spread,
): number {
  return momentsOf(returns).deviationOf(deviation) * Math.sqrt(periodsPerYear);
}

/** Returns less those of a benchmark or a fixed return a period, period by period. */
export function excessReturns(returns: Returns, over: Returns | number): Float64Array {
  return Float64Array.from(returns, (value, at) =>
    typeof over === 'number' ? value - over : value - (over[at] ?? Number.NaN),
  );
}

/** Mean over sample deviation of the excess returns, not annualised: the information ratio. */
export function informationRatio(returns: Returns, over: Returns | number): number {
  return ratioOf(momentsOf(excessReturns(returns, over)), 'sample');
}

const ratioOf = (moments: Moments, deviation: Deviation): number =>
  moments.mean / moments.deviationOf(deviation);

/** What money earns without risk a period, or a series of that: Sharpe takes it off. Default: 0. */
export interface RiskFree {
  readonly riskFree?: Returns | number;
}

/** Mean over deviation of the returns above the risk-free one, times the root of periods a year. */
export function sharpeRatio(
  returns: Returns,
  { periodsPerYear, riskFree = 0, deviation = 'sample' }: Annual & Spread & RiskFree,
): number {
  const moments = momentsOf(excessReturns(returns, riskFree));
  return ratioOf(moments, deviation) * Math.sqrt(periodsPerYear);
}

/** What Sortino asks of a period: the return it must reach, or a series of them. */
export interface Required extends Annual {
  readonly required?: Returns | number;
}

/** Root of the mean square shortfall over ALL known periods, times the root of periods a year. */
export function downsideRisk(returns: Returns, { periodsPerYear, required = 0 }: Required): number {
  const excess = excessReturns(returns, required);
  const shortfalls = excess.map((value) => Math.min(0, value) ** 2);
  return Math.sqrt(momentsOf(shortfalls).mean) * Math.sqrt(periodsPerYear);
}

/** Mean excess return a period times periods a year, over downside risk. */
export function sortinoArithmetic(returns: Returns, options: Required): number {
  const { mean } = momentsOf(excessReturns(returns, options.required ?? 0));
  return (mean * options.periodsPerYear) / downsideRisk(returns, options);
}

/** Compound annual return less the required one a year, over downside risk. */
export function sortinoGeometric(
  returns: Returns,
  options: Annual & { readonly required?: number },
): number {
  const { periodsPerYear, required = 0 } = options;
  const annual = compoundAnnualReturn(returns, options) - required * periodsPerYear;
  return annual / downsideRisk(returns, options);
}

/** Compound annual return over the depth of the deepest drawdown. */
export function calmarRatio(returns: Returns, annual: Annual): number {
  return compoundAnnualReturn(returns, annual) / Math.abs(maxDrawdown(returns));
}

const known = (value: number): number => (Number.isNaN(value) ? 0 : value);
