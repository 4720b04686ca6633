import type { Check } from '../review.ts';

/** Nobody trades on what the market was. */
export const freshData: Check = {
  code: 'staleData',
  scope: 'market',
  ask: ({ view, rules }) => {
    const { id } = rules.market;
    if (view.prices.isFresh(id)) return undefined;
    return { limit: 'fresh data', observed: `${id} is stale` };
  },
};
