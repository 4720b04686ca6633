import { isSureExit } from '../exits.ts';
import type { Check, Objection, RiskView } from '../review.ts';

/**
 * With too many orders of unknown fate no new ones leave. An exit may, as far as it only shrinks
 * its strategy's position even if the unknown orders have traded.
 */
export const unknownOrders: Check = {
  code: 'unknownOrders',
  scope: 'account',
  ask: (review) => {
    const objection = objectionTo(review.view);
    return objection && isSureExit(review) ? undefined : objection;
  },
};

function objectionTo({ orders, config }: RiskView): Objection | undefined {
  if (orders.unknownCount <= config.unknownOrdersMax) return undefined;
  return { limit: `at most ${config.unknownOrdersMax}`, observed: `${orders.unknownCount}` };
}
