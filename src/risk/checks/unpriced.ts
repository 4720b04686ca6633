import type { Refusal } from '../../domain/index.ts';
import type { LossWatch } from '../loss-watch.ts';
import { openingOfIntent, openingOfOrder } from '../opening.ts';
import type { Check, Review, RiskView } from '../review.ts';

/** While a position has no price nobody knows what is lost: only what shrinks a position leaves. */
export function unpriced(losses: Pick<LossWatch, 'unpricedIn'>): Check {
  const refused = (
    { rules: { market }, view }: Review,
    openingOf: () => string | undefined,
  ): Refusal | undefined => {
    const held = losses.unpricedIn(market.quote);
    if (held === undefined) return undefined;
    const asked = openingOf();
    if (asked === undefined) return undefined;
    return {
      code: 'unpriced',
      limit: `a price of ${held}, without which losses in ${market.quote} cannot be told`,
      observed: `${asked}; ${held} ${whenHeld(view, held)} and has had no price in this run`,
      scope: 'account',
    };
  };
  return {
    code: 'unpriced',
    onIntent: (review) => refused(review, () => openingOfIntent(review)),
    onOrder: (review) => refused(review, () => openingOfOrder(review)),
  };
}

/** What is flat now was still held at midnight: it matters until the day is over. */
function whenHeld({ positions }: RiskView, market: string): string {
  return positions.position(market).amount.sign === 0 ? 'was held at midnight UTC' : 'is held';
}
