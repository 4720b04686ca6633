import { DAY_MS } from '../../kernel/index.ts';
import type { Conventions } from '../config.ts';
import type { Curve } from '../curve-meter.ts';
import {
  curveMetric,
  DEVIATION,
  type FamilyMetric,
  finite,
  type Measured,
  tooFew,
} from './metric.ts';
import { annualVolatility } from './series.ts';

/** Least length of a run, in days, for annual figures: the shortest month. */
export const ANNUAL_DAYS_MIN = 28;
/** Least number of periods for figures of their spread. */
export const PERIODS_MIN = 30;

/** Why a figure that is divided by the equity means nothing. */
export const RUINED = 'the equity was zero or below';

/** Why a figure that takes the first equity is not known. */
const UNPRICED_START = 'no price was known at the start';

/** The compound annual return of a curve, or why there is none. */
export function annualReturnOf(curve: Curve, conventions: Conventions): Measured {
  const days = curve.elapsedMs / DAY_MS;
  const reason = tooFew({ count: days, least: ANNUAL_DAYS_MIN, noun: 'day' }, conventions);
  if (reason !== undefined) return { reason };
  if (Number.isNaN(curve.first)) return { reason: UNPRICED_START };
  if (!(curve.lowest > 0)) return { reason: RUINED };
  return finite(
    (curve.last / curve.first) ** timesAYear(curve, conventions) - 1,
    'the run is too short to be taken to a year',
  );
}

/** How often the length of a curve fits into a year: by the clock, or by the count of returns. */
function timesAYear(
  { elapsedMs, returns }: Curve,
  { cagrYear, periodsPerYear }: Conventions,
): number {
  return cagrYear === 'periods' ? periodsPerYear / returns.length : (cagrYear * DAY_MS) / elapsedMs;
}

/** Why figures of a curve's returns mean nothing: ruined, or too few periods. Else undefined. */
export function meaninglessness(curve: Curve, conventions: Conventions): string | undefined {
  if (!(curve.lowest > 0)) return RUINED;
  const sample = { count: curve.returns.length, least: PERIODS_MIN, noun: 'period' };
  return tooFew(sample, conventions);
}

export const RETURN_METRICS: readonly FamilyMetric[] = [
  curveMetric({
    id: 'totalReturn',
    label: 'Return',
    unit: 'fraction',
    better: 'more',
    definition: 'Last equity over first, less one. It includes all fees and what is still held.',
    of: ({ first, last }) => {
      if (Number.isNaN(first)) return { reason: UNPRICED_START };
      return first > 0 ? finite(last / first - 1) : { reason: RUINED };
    },
  }),
  curveMetric({
    id: 'netProfit',
    label: 'Net profit',
    unit: 'quote',
    better: 'more',
    definition: 'Last equity less first, in the currency of the account.',
    of: ({ first, last }) => finite(last - first, UNPRICED_START),
  }),
  curveMetric({
    id: 'annualReturn',
    label: 'Annual return (CAGR)',
    unit: 'fraction',
    better: 'more',
    definition:
      'The yearly return that compounds to that of the run: (last / first) ^ (365 days / length ' +
      'of the run) - 1, whatever part of a year is traded. report.cagrYear sets another number ' +
      'of days, or the exponent (periods in a year / number of returns). ' +
      `Wants ${ANNUAL_DAYS_MIN} days.`,
    of: annualReturnOf,
  }),
  curveMetric({
    id: 'volatility',
    label: 'Volatility',
    unit: 'fraction',
    better: 'less',
    definition:
      `The ${DEVIATION} of the returns, one per period, times the square root of the periods ` +
      'in a year. Periods are whole ones in UTC, such as days from midnight to midnight. A ' +
      'partial one at either end counts as one, and one without data as report.emptyPeriods says. ' +
      `Wants ${PERIODS_MIN} periods.`,
    of: (curve, conventions) => {
      const reason = meaninglessness(curve, conventions);
      if (reason !== undefined) return { reason };
      return finite(annualVolatility(curve.returns, conventions), 'one return has no deviation');
    },
  }),
];
