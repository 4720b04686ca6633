import type { Conventions } from '../config.ts';
import type { Curve } from '../curve-meter.ts';
import { curveMetric, DEVIATION, type FamilyMetric, finite, type Measured } from './metric.ts';
import { ANNUAL_DAYS_MIN, annualReturnOf, meaninglessness, PERIODS_MIN } from './returns.ts';
import { downsideRisk, sharpeRatio, sortinoArithmetic } from './series.ts';

/** A figure of a curve's returns, given only if there are enough periods. */
function ofReturns(measure: (curve: Curve, conventions: Conventions) => Measured) {
  return (curve: Curve, conventions: Conventions): Measured => {
    const reason = meaninglessness(curve, conventions);
    return reason === undefined ? measure(curve, conventions) : { reason };
  };
}

const requiredOf = ({ requiredReturn, periodsPerYear }: Conventions) => ({
  required: requiredReturn / periodsPerYear,
  periodsPerYear,
});

export const RISK_METRICS: readonly FamilyMetric[] = [
  curveMetric({
    id: 'sharpe',
    label: 'Sharpe',
    unit: 'ratio',
    better: 'more',
    definition:
      `Mean of the returns per period less the risk-free rate, over their ${DEVIATION}, ` +
      `times the square root of the periods in a year. Wants ${PERIODS_MIN} periods.`,
    of: ofReturns(({ returns }, { periodsPerYear, riskFreeRate, deviation }) => {
      const riskFree = riskFreeRate / periodsPerYear;
      const ratio = sharpeRatio(returns, { periodsPerYear, riskFree, deviation });
      return finite(ratio, 'the returns do not vary');
    }),
  }),
  curveMetric({
    id: 'sortinoArithmetic',
    label: 'Sortino, arithmetic',
    unit: 'ratio',
    better: 'more',
    definition:
      'Mean of the returns per period less the required one, times the periods in a year, over ' +
      'downside risk: the square root of the mean squared shortfall over all periods, times that ' +
      `of the periods in a year. Wants ${PERIODS_MIN} periods.`,
    of: ofReturns(({ returns }, conventions) =>
      finite(sortinoArithmetic(returns, requiredOf(conventions)), 'no period fell short'),
    ),
  }),
  curveMetric({
    id: 'sortinoGeometric',
    label: 'Sortino, geometric',
    unit: 'ratio',
    better: 'more',
    definition:
      'Annual return (CAGR) less the required one, over the same downside risk. Wants ' +
      `${PERIODS_MIN} periods and ${ANNUAL_DAYS_MIN} days.`,
    of: ofReturns((curve, conventions) => {
      const annual = annualReturnOf(curve, conventions);
      if (annual.value === undefined) return annual;
      const risk = downsideRisk(curve.returns, requiredOf(conventions));
      return finite((annual.value - conventions.requiredReturn) / risk, 'no period fell short');
    }),
  }),
  curveMetric({
    id: 'calmar',
    label: 'Calmar',
    unit: 'ratio',
    better: 'more',
    definition:
      `Annual return (CAGR) over the depth of the deepest drawdown. Wants ${ANNUAL_DAYS_MIN} ` +
      'days.',
    of: (curve, conventions) => {
      const annual = annualReturnOf(curve, conventions);
      if (annual.value === undefined) return annual;
      return finite(annual.value / Math.abs(curve.drawdown.depth), 'there was no drawdown');
    },
  }),
];
