import type { Refusal } from '../../domain/index.ts';
import { openingOfIntent, openingOfOrder } from '../opening.ts';
import type { Check, Review } from '../review.ts';

/** While trading is reducing, only what brings the market's position nearer to flat leaves. */
export const reducing: Check = {
  code: 'reducing',
  onIntent: (review) => (isReducing(review) ? refused(review, openingOfIntent(review)) : undefined),
  onOrder: (review) => (isReducing(review) ? refused(review, openingOfOrder(review)) : undefined),
};

function isReducing({ view: { state } }: Review): boolean {
  return state.state === 'REDUCING';
}

function refused(
  { strategy, rules: { market }, view }: Review,
  asked: string | undefined,
): Refusal | undefined {
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
