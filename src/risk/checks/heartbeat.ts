import type { Check } from '../review.ts';

/** No order rests in a market whose timed cancel would not take it away. */
export const heartbeat: Check = {
  code: 'heartbeat',
  scope: 'market',
  onOrder: ({ view, rules }) => {
    const { id } = rules.market;
    if (view.heartbeat.confirmed(id)) return undefined;
    return { limit: 'a confirmed timed cancel', observed: `none in ${id}` };
  },
};
