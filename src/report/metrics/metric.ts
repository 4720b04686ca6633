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
  /** The same of what the account is held against, where that has a meaning. */
  readonly measureCurve?: (curve: Curve, conventions: Conventions) => Measured;
}

/** A metric as it stands among those of its family. */
export type FamilyMetric = Omit<Metric, 'family'>;

/** How definitions tell the deviation that the conventions choose. */
export const DEVIATION = 'standard deviation (n - 1, or n if report.deviation says so)';

/** Why nothing is known that rests on what the account is worth. */
export const UNPRICED = 'no price in the account currency is known';

/** A value, unless arithmetic gave none. */
export function finite(value: number, reason = UNPRICED): Measured {
  return Number.isFinite(value) ? { value } : { reason };
}

/** What must stand behind a metric: `12 days, at least 30 wanted` is its grammar. */
export interface Sample {
  readonly count: number;
  readonly least: number;
  readonly noun: string;
}

/** The reason why a sample is too small, where it is and the conventions ask. */
export function tooFew(
  { count, least, noun }: Sample,
  conventions: Conventions,
): string | undefined {
  if (count >= least || !conventions.sampleGates) return undefined;
  const isPart = count > 0 && count < 1;
  const what = isPart ? `less than a ${noun}` : counted(Math.floor(count), noun);
  return `${what}, at least ${least} wanted`;
}

/** A metric of a curve: measured of the account, and of what it is held against. */
export function curveMetric(
  metric: Omit<FamilyMetric, 'measure' | 'measureCurve'> & {
    of(curve: Curve, conventions: Conventions): Measured;
  },
): FamilyMetric {
  const { of, ...rest } = metric;
  // What a curve came to is not known where its end is not.
  const measured = (curve: Curve, conventions: Conventions): Measured =>
    Number.isNaN(curve.last) ? { reason: UNPRICED } : of(curve, conventions);
  return {
    ...rest,
    measure: ({ equity, conventions }) => measured(equity, conventions),
    measureCurve: measured,
  };
}
