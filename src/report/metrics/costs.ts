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
    label: 'Slippage since the order',
    unit: 'quote',
    better: 'less',
    definition:
      'Measured, no extra charge: what fills gave up against the middle price when their order ' +
      'was made; negative if they were better. Resting orders gain half a spread and may wait ' +
      'long, so their slippage is often negative.',
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
      'Value of the maker fills, whose order rested in the book, over the value of all fills ' +
      'known to be maker or taker. A taker fill trades with an order that rested.',
    measure: ({ costs }) => makerShareOf(costs),
  },
  {
    id: 'missedOrders',
    label: 'Missed orders',
    unit: 'count',
    better: 'less',
    definition:
      'Orders that ended wholly or partly unfilled. Each try counts: a target that is tried ' +
      'again, or a quote that moves, makes a new order each time.',
    measure: ({ costs }) => ({ value: costs.missed }),
  },
  {
    id: 'missedValue',
    label: 'Missed value',
    unit: 'quote',
    better: 'less',
    definition: 'Value of the unfilled parts of orders, each at the price of its order.',
    measure: ({ costs }) => finite(costs.missedValue),
  },
];
