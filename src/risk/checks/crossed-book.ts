import type { Check } from '../review.ts';

/** A book whose bid is not below its ask is a fault of the data. */
export const crossedBook: Check = {
  code: 'crossedBook',
  scope: 'market',
  ask: ({ view, rules }) => {
    const depth = view.prices.depth(rules.market.id);
    const bid = depth?.bids[0]?.[0];
    const ask = depth?.asks[0]?.[0];
    if (bid === undefined || ask === undefined || bid < ask) return undefined;
    const observed = `bid ${bid}, ask ${ask}`;
    return { limit: 'bid below ask', observed };
  },
};
