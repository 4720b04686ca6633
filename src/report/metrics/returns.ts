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

/** Least length of a run, in days, for figures a year: the shortest month. */
export const ANNUAL_DAYS_MIN = 28;
/** Least number of periods for figures of their spread. */
export const PERIODS_MIN = 30;

/** Why what is taken over the equity means nothing. */
export const RUINED = 'the equity was zero or below';

/** Why what is taken over the first equity is not known. */
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

/** How often a year has what a curve took: by the clock, or by the count of its returns. */
function timesAYear(
  { elapsedMs, returns }: Curve,
  { cagrYear, periodsPerYear }: Conventions,
): number {
  return cagrYear === 'periods' ? periodsPerYear / returns.length : (cagrYear * DAY_MS) / elapsedMs;
}

/** Why figures of a curve's returns would mean nothing, if so: ruined, or too few periods. */
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
    definition: 'Last equity over first, less one. All fees and what is still held are in it.',
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
      'The return a year that compounds to the whole: (last / first) ^ (365 days / time taken) - 1,' +
      ' whatever part of a year is traded; report.cagrYear gives it other days, or takes the ' +
      `periods in a year over the returns counted. Wants ${ANNUAL_DAYS_MIN} days.`,
    of: annualReturnOf,
  }),
  curveMetric({
    id: 'volatility',
    label: 'Volatility',
    unit: 'fraction',
    better: 'less',
    definition:
      `The ${DEVIATION} of the returns of each period times the root of the periods in ` +
      'a year. Periods end at whole ones in UTC; a part at either end counts as one, and one ' +
      `without data counts as report.emptyPeriods says. Wants ${PERIODS_MIN} periods.`,
    of: (curve, conventions) => {
      const reason = meaninglessness(curve, conventions);
      if (reason !== undefined) return { reason };
      return finite(annualVolatility(curve.returns, conventions), 'one return has no deviation');
    },
  }),
];
