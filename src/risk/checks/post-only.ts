import type { Check } from '../review.ts';

/** A post-only order that crosses the book that we know would only be sent back. */
export const postOnly: Check = {
  code: 'postOnlyCross',
  onOrder: ({ draft, view }) => {
    if (draft.type !== 'postOnly') return undefined;
    const depth = view.prices.depth(draft.market);
    const best = draft.side === 'buy' ? depth?.asks[0]?.[0] : depth?.bids[0]?.[0];
    if (best === undefined) return undefined;
    const crosses = draft.side === 'buy' ? draft.price >= best : draft.price <= best;
    if (!crosses) return undefined;
    return {
      code: 'postOnlyCross',
      limit: draft.side === 'buy' ? `below the ask ${best}` : `above the bid ${best}`,
      observed: `${draft.side} at ${draft.price}`,
      scope: 'order',
    };
  },
};
