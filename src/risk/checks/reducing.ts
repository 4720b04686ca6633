import type { Refusal } from '../../domain/index.ts';
import { openingOfIntent, openingOfOrder } from '../opening.ts';
import type { Check, Review } from '../review.ts';

/** While trading is reducing, only what brings the market's position nearer to flat leaves. */
export const reducing: Check = {
  code: 'reducing',
  scope: 'market',
  describe: 'Refuses, while trading is reducing, all that does not shrink the position.',
  onIntent: (review) => (isReducing(review) ? refused(review, openingOfIntent(review)) : undefined),
  onOrder: (review) => (isReducing(review) ? refused(review, openingOfOrder(review)) : undefined),
};

function isReducing({ view: { state } }: Review): boolean {
  return state.state === 'REDUCING';
}

function refused(
  { position, rules: { market }, view }: Review,
  asked: string | undefined,
): Refusal | undefined {
  if (asked === undefined) return undefined;
  return {
    code: 'reducing',
    limit:
      position.amount.sign === 0
        ? `nothing, as no ${market.base} is held`
        : `shrink the position of ${position.amount} ${market.base}`,
    observed: `${asked}; ${view.state.reason}`,
    scope: 'market',
  };
}
