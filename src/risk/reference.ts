import { midOf } from '../domain/index.ts';
import type { Review } from './review.ts';

/**
 * The price that others are held against: the middle of the book where its newest depth is young
 * enough, else the last price where the market's data is fresh; undefined where neither is.
 */
export function referenceOf({ view, rules, nowMs }: Review): number | undefined {
  const { prices } = view;
  const { id } = rules.market;
  const depth = prices.depth(id);
  if (depth !== undefined && nowMs - depth.receivedTime <= rules.limits.referenceAgeMaxMs) {
    const mid = midOf(depth);
    if (mid !== undefined) return mid;
  }
  const last = prices.isFresh(id) ? prices.last(id) : undefined;
  return last !== undefined && last > 0 && Number.isFinite(last) ? last : undefined;
}
