import { isSureExit } from '../exits.ts';
import type { Check, Objection, RiskView } from '../review.ts';

/**
 * Too much is in the dark to add to it. An exit adds nothing: it leaves as far as it only shrinks its
 * strategy's position, whatever those in doubt have traded of that.
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
