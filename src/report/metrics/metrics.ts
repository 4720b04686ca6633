import { COST_METRICS } from './costs.ts';
import { DRAWDOWN_METRICS } from './drawdowns.ts';
import { EXPOSURE_METRICS } from './exposure.ts';
import type { Facts } from './facts.ts';
import type { Measured, Metric } from './metric.ts';
import { RETURN_METRICS } from './returns.ts';
import { RISK_METRICS } from './risk.ts';
import { TRADE_METRICS } from './trades.ts';

/** Every metric, family by family, in the order in which they are shown. */
export const METRICS: readonly Metric[] = [
  ...RETURN_METRICS,
  ...RISK_METRICS,
  ...DRAWDOWN_METRICS,
  ...EXPOSURE_METRICS,
  ...TRADE_METRICS,
  ...COST_METRICS,
];

/** One metric with what was measured, and the same of buying and holding where it applies. */
export interface Figure {
  readonly metric: Metric;
  readonly measured: Measured;
  readonly buyAndHold: Measured | undefined;
}

/** Measures every metric. */
export function measureAll(facts: Facts): Figure[] {
  return METRICS.map((metric) => ({
    metric,
    measured: metric.measure(facts),
    buyAndHold: metric.measureBuyAndHold?.(facts),
  }));
}
