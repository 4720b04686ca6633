import { finite, type Metric } from './metric.ts';

const NO_TIME = 'the run took no time';

export const EXPOSURE_METRICS: readonly Metric[] = [
  {
    id: 'exposureTime',
    label: 'Time in the market',
    unit: 'fraction',
    family: 'exposure',
    better: 'neither',
    definition:
      'Share of the time in which a strategy held a position, whatever it was worth: from the ' +
      'first fill of a trade to its last. Dust, less than an order can trade or what fees left, ' +
      'is none.',
    measure: ({ exposure }) => finite(exposure.timeShare, NO_TIME),
  },
  {
    id: 'meanExposure',
    label: 'Mean exposure',
    unit: 'fraction',
    family: 'exposure',
    better: 'neither',
    definition:
      'Net worth of all that is owned beside the quote currency, shorts of one market against ' +
      'longs of another, then without sign, as a fraction of the equity, averaged over time.',
    measure: ({ exposure }) => finite(exposure.meanShare, NO_TIME),
  },
  {
    id: 'turnover',
    label: 'Turnover',
    unit: 'ratio',
    family: 'exposure',
    better: 'neither',
    definition: 'Value of all fills, buys and sells, over the mean equity; not annualised.',
    measure: ({ costs, exposure }) => finite(costs.traded / exposure.meanEquity, NO_TIME),
  },
  {
    id: 'tradedValue',
    label: 'Traded value',
    unit: 'quote',
    family: 'exposure',
    better: 'neither',
    definition: 'Value of all fills, buys and sells.',
    measure: ({ costs }) => finite(costs.traded),
  },
];
