import type { Refusal } from '../../domain/index.ts';
import { openingOf } from '../opening.ts';
import type { Check, Review } from '../review.ts';

/** While trading is reducing, only what brings the market's position nearer to flat leaves. */
export const reducing: Check = {
  code: 'reducing',
  ask: refusalOf,
};

function refusalOf(review: Review): Refusal | undefined {
  const { strategy, rules, view } = review;
  const { market } = rules;
  const asked = view.state.state === 'REDUCING' ? openingOf(review) : undefined;
  if (asked === undefined) return undefined;
  const { amount } = view.positions.position(market.id, strategy);
  return {
    code: 'reducing',
    limit:
      amount.sign === 0
        ? `nothing, as ${strategy} holds no ${market.base}`
        : `shrink the position of ${amount} ${market.base}`,
    observed: `${asked}; ${view.state.reason}`,
    scope: 'market',
  };
}
