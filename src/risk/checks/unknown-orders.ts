import type { Check } from '../review.ts';
import { askBoth } from './each.ts';

/** Too much is in the dark to add to it. */
export const unknownOrders: Check = {
  code: 'unknownOrders',
  scope: 'account',
  describe: 'Refuses while the fate of more orders than configured is unknown.',
  ...askBoth(({ view: { orders, config } }) => {
    if (orders.unknownCount <= config.unknownOrdersMax) return undefined;
    return {
      code: 'unknownOrders',
      limit: `at most ${config.unknownOrdersMax}`,
      observed: `${orders.unknownCount}`,
      scope: 'account',
    };
  }),
};
