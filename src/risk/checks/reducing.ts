import { openingOf } from '../opening.ts';
import type { Check, Objection, Review } from '../review.ts';

/** While trading is REDUCING, only orders that bring the market's position nearer to flat leave. */
export const reducing: Check = {
  code: 'reducing',
  scope: 'market',
  ask: objectionTo,
};

function objectionTo(review: Review): Objection | undefined {
  const { strategy, rules, view } = review;
  const { market } = rules;
  const asked = view.state.state === 'REDUCING' ? openingOf(review) : undefined;
  if (asked === undefined) return undefined;
  const { amount } = view.positions.position(market.id, strategy);
  return {
    limit:
      amount.sign === 0
        ? `nothing, as ${strategy} holds no ${market.base}`
        : `shrink the position of ${amount} ${market.base}`,
    observed: `${asked}; ${view.state.reason}`,
  };
}
