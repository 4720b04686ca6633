import { type Level, type OrderState, opposite } from '../../domain/index.ts';
import type { Check, OrderReview } from '../review.ts';

/**
 * A post-only order that crosses the known book would only be sent back. Levels of own orders that
 * have ended since the book was told do not count, if the book shows own orders at all.
 */
export const postOnly: Check = {
  code: 'postOnlyCross',
  scope: 'order',
  onOrder: (review) => {
    const { draft, view } = review;
    if (draft.type !== 'postOnly') return undefined;
    const depth = view.prices.depth(draft.market);
    const isBuy = draft.side === 'buy';
    for (const [price, amount] of (isBuy ? depth?.asks : depth?.bids) ?? []) {
      if (isBuy ? draft.price < price : draft.price > price) break;
      if (hasLeft([price, amount], review)) continue;
      return {
        limit: isBuy ? `below the ask ${price}` : `above the bid ${price}`,
        observed: `${draft.side} at ${draft.price}`,
      };
    }
    return undefined;
  },
};

/** Whether a level of the book may consist of own orders alone that have ended since. */
function hasLeft([price, shown]: Level, { draft, view, rules }: OrderReview): boolean {
  const { orders, prices } = view;
  if (!prices.showsOwn) return false;
  const { receivedTime } = prices.depth(draft.market)!;
  let own = 0;
  for (const order of orders.endedSince(receivedTime)) {
    const isThere = order.market === draft.market && order.side === opposite(draft.side);
    const rested = order.type !== 'ioc' && order.createdTime <= receivedTime;
    if (isThere && rested && order.price === price) own += shownOf(order);
  }
  return own > 0 && Math.round((shown - own) * 10 ** rules.market.amountScale) <= 0;
}

/**
 * The amount that the book showed of an order ended since. When it filled is not known: the fills
 * of an order filled whole count as later than the book, those of any other as earlier.
 */
function shownOf({ status, amount, filledAmount }: OrderState): number {
  if (status === 'rejected') return 0;
  return status === 'filled' ? amount : amount - filledAmount;
}
