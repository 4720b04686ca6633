import type { LossWatch } from '../loss-watch.ts';
import { openingOf } from '../opening.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';

/** While a position has no price losses are not known: only orders that shrink a position leave. */
export function unpriced(losses: Pick<LossWatch, 'unpricedIn'>): Check {
  const objectionTo = (review: Review): Objection | undefined => {
    const { rules, view } = review;
    const { market } = rules;
    const held = losses.unpricedIn(market.quote);
    if (held === undefined) return undefined;
    const asked = openingOf(review);
    if (asked === undefined) return undefined;
    return {
      limit: `a price of ${held}, without which losses in ${market.quote} cannot be told`,
      observed: `${asked}; ${held} ${whenHeld(view, held)} and has had no price in this run`,
    };
  };
  return { code: 'unpriced', scope: 'account', ask: objectionTo };
}

/** A position flat now but held at midnight matters until the day is over. */
function whenHeld({ positions }: RiskView, market: string): string {
  return positions.position(market).amount.sign === 0 ? 'was held at midnight UTC' : 'is held';
}
