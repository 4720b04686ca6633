import { type Depth, midOf } from '../domain/index.ts';
import type { Review } from './review.ts';

/**
 * The price with which order prices are compared: the middle of the book if the newest depth is
 * young enough, else the last price if the market's data are fresh; undefined if neither is.
 */
export function referenceOf(review: Review): number | undefined {
  const { prices } = review.view;
  const { id } = review.rules.market;
  const depth = youngDepth(review);
  const mid = depth && midOf(depth);
  if (mid !== undefined) return mid;
  const last = prices.isFresh(id) ? prices.last(id) : undefined;
  return last !== undefined && last > 0 && Number.isFinite(last) ? last : undefined;
}

/** The newest depth of the market; undefined if it is too old. */
export function youngDepth({ view, rules, nowMs }: Review): Depth | undefined {
  const depth = view.prices.depth(rules.market.id);
  if (depth === undefined) return undefined;
  return nowMs - depth.receivedTime <= rules.limits.referenceAgeMaxMs ? depth : undefined;
}
