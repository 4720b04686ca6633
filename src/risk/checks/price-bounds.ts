import type { Refusal } from '../../domain/index.ts';
import { openingOfIntent, openingOfSide } from '../opening.ts';
import { referenceOf } from '../reference.ts';
import type { Check, Review } from '../review.ts';
import { askEach } from './each.ts';

const orders = askEach(({ side, price }, review) => {
  const refusal = refusalOf(review, price);
  return refusal && openingOfSide(review, side) ? refusal : undefined;
});

/** Nothing opens at a price beyond the bounds that settings give; of a target the market's counts. */
export const priceBounds: Check = {
  code: 'priceBounds',
  scope: 'order',
  describe: 'Refuses prices beyond fixed bounds, but for what shrinks the position.',
  onIntent: (review) => {
    if (review.intent.kind !== 'target') return orders.onIntent?.(review);
    const refusal = refusalOf(review, referenceOf(review));
    return refusal && openingOfIntent(review) ? refusal : undefined;
  },
  onOrder: (review) => orders.onOrder?.(review),
};

function refusalOf({ rules }: Review, price: number | undefined): Refusal | undefined {
  const { priceMin = 0, priceMax = Number.POSITIVE_INFINITY } = rules.limits;
  if (price === undefined || (price >= priceMin && price <= priceMax)) return undefined;
  const limit = price < priceMin ? `at least ${priceMin}` : `at most ${priceMax}`;
  return { code: 'priceBounds', limit, observed: `price ${price}`, scope: 'order' };
}
