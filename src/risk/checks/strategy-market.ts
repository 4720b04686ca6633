import type { Check } from '../review.ts';

/** A strategy may only trade the markets of its settings, whatever market it names. */
export const strategyMarket: Check = {
  code: 'strategyMarket',
  scope: 'strategy',
  ask: ({ view: { marketsOf }, rules: { market }, strategy }) => {
    const own = marketsOf.get(strategy);
    if (own === undefined || own.has(market.id)) return undefined;
    return { limit: `one of ${[...own].join(', ')}`, observed: market.id };
  },
};
