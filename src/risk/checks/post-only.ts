import { type Level, type OrderState, opposite } from '../../domain/index.ts';
import type { Check, OrderReview } from '../review.ts';

/**
 * A post-only order that crosses the book that we know would only be sent back. Own orders that have
 * ended since the book was told are in it no more, where it shows own orders at all.
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

/** Whether all that the book shows at a price may be own orders that have ended since. */
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
 * What the book showed of an order that has ended since. When it filled is not known: all of one that
 * filled whole counts as filled since, of any other nothing.
 */
function shownOf({ status, amount, filledAmount }: OrderState): number {
  if (status === 'rejected') return 0;
  return status === 'filled' ? amount : amount - filledAmount;
}
