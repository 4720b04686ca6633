import type { Costs } from './cost-facts.ts';
import { type FamilyMetric, finite, type Measured, UNPRICED } from './metric.ts';

const NO_FILLS = 'nothing was filled';
const NO_REFERENCE = 'no reference price is known';

function overTraded(part: number, { traded }: Costs): Measured {
  return traded === 0 ? { reason: NO_FILLS } : finite(part / traded);
}

function slippageOf({ slippage, tradedWithReference, traded }: Costs): Measured {
  if (traded === 0) return { reason: NO_FILLS };
  return tradedWithReference === 0 ? { reason: NO_REFERENCE } : finite(slippage);
}

function makerShareOf({ tradedAsMaker, tradedWithLiquidity, traded }: Costs): Measured {
  if (traded === 0) return { reason: NO_FILLS };
  if (Number.isNaN(tradedWithLiquidity)) return { reason: UNPRICED };
  return finite(tradedAsMaker / tradedWithLiquidity, 'maker or taker is not known');
}

export const COST_METRICS: readonly FamilyMetric[] = [
  {
    id: 'fees',
    label: 'Fees',
    unit: 'quote',
    better: 'less',
    definition: 'All fees; those in a base currency are valued at the price of their fill.',
    measure: ({ costs }) => finite(costs.fees),
  },
  {
    id: 'feeShare',
    label: 'Fees over traded value',
    unit: 'fraction',
    better: 'less',
    definition: 'All fees over the value of all fills.',
    measure: ({ costs }) => overTraded(costs.fees, costs),
  },
  {
    id: 'slippage',
    label: 'Slippage',
    unit: 'quote',
    better: 'less',
    definition:
      'What fills gave up against the middle price when their order was made; below zero, ' +
      'they were better. Resting orders gain half a spread and may wait long, so theirs is ' +
      'often below zero.',
    measure: ({ costs }) => slippageOf(costs),
  },
  {
    id: 'slippageShare',
    label: 'Slippage over traded value',
    unit: 'fraction',
    better: 'less',
    definition: 'Slippage over the value of the fills whose reference price is known.',
    measure: ({ costs }) => {
      const slippage = slippageOf(costs);
      return slippage.value === undefined
        ? slippage
        : finite(slippage.value / costs.tradedWithReference);
    },
  },
  {
    id: 'makerShare',
    label: 'Maker share of traded value',
    unit: 'fraction',
    better: 'neither',
    definition:
      'Value of the fills whose order rested in the book and was met there (maker) over that of ' +
      'all fills of which this is known. The others met what rested (taker).',
    measure: ({ costs }) => makerShareOf(costs),
  },
  {
    id: 'missedOrders',
    label: 'Missed orders',
    unit: 'count',
    better: 'less',
    definition:
      'Orders that ended with all or a part of them unfilled. Each try counts: a target that is ' +
      'tried on, or a quote that moves, makes an order each time.',
    measure: ({ costs }) => ({ value: costs.missed }),
  },
  {
    id: 'missedValue',
    label: 'Missed value',
    unit: 'quote',
    better: 'less',
    definition: 'What the unfilled parts of orders were worth at their own price.',
    measure: ({ costs }) => finite(costs.missedValue),
  },
];
