import type { WishedOrder } from '../exposure.ts';
import { openingOfSide } from '../opening.ts';
import { referenceOf, youngDepth } from '../reference.ts';
import type { Check, Objection, Review } from '../review.ts';
import { ofEach } from './each.ts';

const ofOrders = ofEach((order, review) => {
  const { priceMin, priceMax } = review.rules.limits;
  if (priceMin === undefined && priceMax === undefined) return undefined;
  const objection =
    objectionTo(review, order.price) ?? objectionTo(review, tradingPrice(order, review));
  return objection && openingOfSide(review, order.side) ? objection : undefined;
});

/**
 * Nothing opens beyond the price bounds of the settings, neither at the order's own price nor at
 * the one at which it would trade at once. For a target the market's price counts.
 */
export const priceBounds: Check = {
  code: 'priceBounds',
  scope: 'order',
  ask: (review) =>
    review.target === undefined ? ofOrders(review) : objectionTo(review, referenceOf(review)),
};

/** The price at which an order would trade at once, if known; else its own. */
function tradingPrice({ side, price }: WishedOrder, review: Review): number {
  const depth = youngDepth(review);
  const levels = side === 'buy' ? depth?.asks : depth?.bids;
  const met = levels?.[0]?.[0] ?? referenceOf(review) ?? price;
  return side === 'buy' ? Math.min(price, met) : Math.max(price, met);
}

function objectionTo({ rules }: Review, price: number | undefined): Objection | undefined {
  const { priceMin = 0, priceMax = Number.POSITIVE_INFINITY } = rules.limits;
  if (price === undefined || (price >= priceMin && price <= priceMax)) return undefined;
  const limit = price < priceMin ? `at least ${priceMin}` : `at most ${priceMax}`;
  return { limit, observed: `price ${price}` };
}
