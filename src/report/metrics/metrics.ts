import type { Curve } from '../curve-meter.ts';
import { COST_METRICS } from './costs.ts';
import { DRAWDOWN_METRICS } from './drawdowns.ts';
import { EXPOSURE_METRICS } from './exposure.ts';
import type { Facts } from './facts.ts';
import { FAMILIES, type Family, type FamilyMetric, type Measured, type Metric } from './metric.ts';
import { RETURN_METRICS } from './returns.ts';
import { RISK_METRICS } from './risk.ts';
import { TRADE_METRICS } from './trades.ts';

const BY_FAMILY: Readonly<Record<Family, readonly FamilyMetric[]>> = {
  return: RETURN_METRICS,
  risk: RISK_METRICS,
  drawdown: DRAWDOWN_METRICS,
  exposure: EXPOSURE_METRICS,
  trades: TRADE_METRICS,
  costs: COST_METRICS,
};

/** Every metric, family by family, in the order in which they are shown. */
export const METRICS: readonly Metric[] = FAMILIES.flatMap((family) =>
  BY_FAMILY[family].map((metric) => ({ ...metric, family })),
);

/** One metric as measured for the account and for what it is compared with. */
export interface Figure {
  readonly metric: Metric;
  readonly measured: Measured;
  readonly buyAndHold: Measured | undefined;
  /** For the starting balances, if they hold more than the account's currency. */
  readonly leftAlone: Measured | undefined;
}

/** What an account is compared with, in the order in which it is shown. */
const BESIDE = ['leftAlone', 'buyAndHold'] as const;
export type Beside = (typeof BESIDE)[number];

/** What some figures are compared with: the curves for which at least one figure has a value. */
export function comparedWith(figures: readonly Figure[]): readonly Beside[] {
  return BESIDE.filter((key) => figures.some(({ [key]: beside }) => beside?.value !== undefined));
}

/** Measures every metric. */
export function measureAll(facts: Facts): Figure[] {
  const { buyAndHold, leftAlone, conventions } = facts;
  return METRICS.map((metric) => {
    const of = (curve: Curve): Measured | undefined => metric.measureCurve?.(curve, conventions);
    return {
      metric,
      measured: metric.measure(facts),
      buyAndHold: buyAndHold === undefined ? noPrices(metric) : of(buyAndHold),
      leftAlone: leftAlone && of(leftAlone),
    };
  });
}

function noPrices({ measureCurve }: Metric): Measured | undefined {
  return measureCurve && { reason: 'no prices are known' };
}
