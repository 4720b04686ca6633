import type { Check } from '../review.ts';

/** No order leaves in a market without an armed timed cancel that would take it away. */
export const heartbeat: Check = {
  code: 'heartbeat',
  scope: 'market',
  onOrder: ({ view, rules }) => {
    const { id } = rules.market;
    if (view.heartbeat.confirmed(id)) return undefined;
    return { limit: 'a confirmed timed cancel', observed: `none in ${id}` };
  },
};
