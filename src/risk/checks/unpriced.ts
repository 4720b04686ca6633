import type { Refusal } from '../../domain/index.ts';
import type { LossWatch } from '../loss-watch.ts';
import { openingOfIntent, openingOfOrder } from '../opening.ts';
import type { Check, Review } from '../review.ts';

/** While a position has no price nobody knows what is lost: only what shrinks a position leaves. */
export function unpriced(losses: Pick<LossWatch, 'unpricedIn'>): Check {
  const refused = (
    { rules: { market } }: Review,
    openingOf: () => string | undefined,
  ): Refusal | undefined => {
    const held = losses.unpricedIn(market.quote);
    const asked = held === undefined ? undefined : openingOf();
    if (asked === undefined) return undefined;
    return {
      code: 'unpriced',
      limit: `a price of ${held}, without which losses in ${market.quote} cannot be told`,
      observed: `${asked}; ${held} is held and has had no price in this run`,
      scope: 'account',
    };
  };
  return {
    code: 'unpriced',
    scope: 'account',
    describe:
      'Refuses, while a market that is held has had no price, all that does not shrink the position, ' +
      'in every market of its quote currency.',
    onIntent: (review) => refused(review, () => openingOfIntent(review)),
    onOrder: (review) => refused(review, () => openingOfOrder(review)),
  };
}
