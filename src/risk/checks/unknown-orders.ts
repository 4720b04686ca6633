import type { Refusal } from '../../domain/index.ts';
import { isSureExit } from '../exits.ts';
import type { Check, RiskView } from '../review.ts';

/**
 * Too much is in the dark to add to it. An exit adds nothing: it leaves as far as it only shrinks its
 * strategy's position, whatever those in doubt have traded of that.
 */
export const unknownOrders: Check = {
  code: 'unknownOrders',
  ask: (review) => {
    const refusal = refusalOf(review.view);
    return refusal && isSureExit(review) ? undefined : refusal;
  },
};

function refusalOf({ orders, config }: RiskView): Refusal | undefined {
  if (orders.unknownCount <= config.unknownOrdersMax) return undefined;
  return {
    code: 'unknownOrders',
    limit: `at most ${config.unknownOrdersMax}`,
    observed: `${orders.unknownCount}`,
    scope: 'account',
  };
}
