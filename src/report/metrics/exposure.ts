import type { Facts } from './facts.ts';
import { type FamilyMetric, finite, type Measured, UNPRICED } from './metric.ts';
import { RUINED } from './returns.ts';

const NO_TIME = 'the run took no time';

/** A figure that is divided by the equity. */
function overEquity(value: number, { equity }: Facts): Measured {
  if (Number.isNaN(equity.last)) return { reason: UNPRICED };
  if (equity.lowest <= 0) return { reason: RUINED };
  return finite(value, equity.elapsedMs > 0 ? UNPRICED : NO_TIME);
}

export const EXPOSURE_METRICS: readonly FamilyMetric[] = [
  {
    id: 'exposureTime',
    label: 'Time in the market',
    unit: 'fraction',
    better: 'neither',
    definition:
      'Share of the time in which any strategy held a position, whatever it was worth: from the ' +
      'first fill of a trade to its last. Dust (less than an order can trade, or what fees left) ' +
      'does not count.',
    measure: ({ exposure }) => finite(exposure.timeShare, NO_TIME),
  },
  {
    id: 'meanExposure',
    label: 'Mean exposure',
    unit: 'fraction',
    better: 'neither',
    definition:
      'Net worth of everything owned beside the currency of the account, as a fraction of the ' +
      'equity, averaged over time. Shorts in one market offset longs in another; the sign of the ' +
      'net worth does not count.',
    measure: (facts) => overEquity(facts.exposure.meanShare, facts),
  },
  {
    id: 'turnover',
    label: 'Turnover',
    unit: 'ratio',
    better: 'neither',
    definition: 'Value of all fills, buys and sells, over the mean equity; not annualised.',
    measure: (facts) => overEquity(facts.costs.traded / facts.exposure.meanEquity, facts),
  },
  {
    id: 'tradedValue',
    label: 'Traded value',
    unit: 'quote',
    better: 'neither',
    definition: 'Value of all fills, buys and sells.',
    measure: ({ costs }) => finite(costs.traded),
  },
];
