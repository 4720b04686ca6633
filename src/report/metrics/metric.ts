import { counted } from '../../kernel/index.ts';
import type { Conventions } from '../config.ts';
import type { Curve } from '../curve-meter.ts';
import type { Facts } from './facts.ts';

/** What a metric counts in: `fraction` 0.01 is one percent, `duration` milliseconds. */
export type Unit = 'fraction' | 'ratio' | 'quote' | 'count' | 'duration';

/** The groups of metrics, in the order in which they are shown. */
export const FAMILIES = ['return', 'risk', 'drawdown', 'exposure', 'trades', 'costs'] as const;
export type Family = (typeof FAMILIES)[number];

/** A metric's value, or why there is none. */
export type Measured =
  | { readonly value: number; readonly reason?: undefined }
  | { readonly value?: undefined; readonly reason: string };

/** One metric: what it is called, how it is defined, and how it is measured. */
export interface Metric {
  /** Its key in `metrics.json`; never changes. */
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
  readonly family: Family;
  /** Definition, annualisation and least sample, in whole sentences. */
  readonly definition: string;
  /** Which way is good, for comparisons. */
  readonly better: 'more' | 'less' | 'neither';
  measure(facts: Facts): Measured;
  /** The same for a curve that the account is compared with, where that has a meaning. */
  readonly measureCurve?: (curve: Curve, conventions: Conventions) => Measured;
}

/** A metric in the list of its family. */
export type FamilyMetric = Omit<Metric, 'family'>;

/** What definitions call the deviation, which the conventions choose. */
export const DEVIATION = 'standard deviation (n - 1, or n if report.deviation says so)';

/** Why a figure that needs the worth of the account is not known. */
export const UNPRICED = 'no price in the account currency is known';

/** A value, unless arithmetic gave none. */
export function finite(value: number, reason = UNPRICED): Measured {
  return Number.isFinite(value) ? { value } : { reason };
}

/** The sample behind a metric. One that is too small reads `12 days, at least 30 wanted`. */
export interface Sample {
  readonly count: number;
  readonly least: number;
  readonly noun: string;
}

/** Why a sample is too small; undefined if it is not, or the conventions do not ask. */
export function tooFew(
  { count, least, noun }: Sample,
  conventions: Conventions,
): string | undefined {
  if (count >= least || !conventions.sampleGates) return undefined;
  const isPart = count > 0 && count < 1;
  const what = isPart ? `less than a ${noun}` : counted(Math.floor(count), noun);
  return `${what}, at least ${least} wanted`;
}

/** A metric of a curve, measured for the account and for what it is compared with. */
export function curveMetric(
  metric: Omit<FamilyMetric, 'measure' | 'measureCurve'> & {
    of(curve: Curve, conventions: Conventions): Measured;
  },
): FamilyMetric {
  const { of, ...rest } = metric;
  // If the end of a curve is not known, no figure of the whole is.
  const measured = (curve: Curve, conventions: Conventions): Measured =>
    Number.isNaN(curve.last) ? { reason: UNPRICED } : of(curve, conventions);
  return {
    ...rest,
    measure: ({ equity, conventions }) => measured(equity, conventions),
    measureCurve: measured,
  };
}
