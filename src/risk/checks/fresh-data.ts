import type { Check } from '../review.ts';

/** No order leaves on stale data. */
export const freshData: Check = {
  code: 'staleData',
  scope: 'market',
  ask: ({ view, rules }) => {
    const { id } = rules.market;
    if (!view.prices.isFresh(id)) return { limit: 'fresh data', observed: `${id} is stale` };
    if (view.prices.isInHole?.(id) !== true) return undefined;
    return { limit: 'the next candle', observed: `candles of ${id} are missing` };
  },
};
