import type { LiveOrder, OrderRecord } from '../../domain/index.ts';
import { leftAfter } from '../desk/tags.ts';
import { AHEAD_MAX_MS, type Horizon, STAMP_TOLERANCE_MS, UNEVEN_MS } from './horizon.ts';

/** Whether a record of an order's terms may be the order's; `doubtful`: nothing tells. */
export type Likeness = 'own' | 'doubtful' | 'other';

interface LikenessOptions {
  readonly order: LiveOrder;
  /** How many orders had been heard of when it left; undefined: that was in an earlier run. */
  readonly heardCount: number | undefined;
  readonly horizon: Horizon;
}

/**
 * How a record with the terms of an order that left in a batch is like it.
 *
 * What is newer than the horizon that the order left behind came after it. A little older counts
 * what traded or rests; else it is the same as none. Older ones it may be of only where an order
 * bore a wrong time, which had put the horizon ahead. What this run had heard of before the order
 * left it is not; what an earlier run had heard of is not known.
 */
export function likenessOf(record: OrderRecord, options: LikenessOptions): Likeness {
  const { order, heardCount, horizon } = options;
  if (heardCount !== undefined && horizon.isAmong(heardCount, record)) return 'other';
  const { exchangeTime } = record;
  const time = leftAfter(order);
  if (time !== undefined && exchangeTime > time) return 'own';
  if (isVoid(record)) return 'other';
  // Nothing had been heard of at all: there was nothing.
  if (time === undefined && heardCount !== undefined) return 'own';
  const leastTime = leastTimeOf(order);
  if (exchangeTime < leastTime - AHEAD_MAX_MS) return 'other';
  return heardCount !== undefined || exchangeTime >= leastTime - UNEVEN_MS ? 'own' : 'doubtful';
}

/** The order of candidates: first what rests or traded, which must be somebody's, the newest first. */
export function byWeight(a: OrderRecord, b: OrderRecord): number {
  return Number(isVoid(a)) - Number(isVoid(b)) || b.exchangeTime - a.exchangeTime;
}

/** Whether it ended unfilled. */
function isVoid({ closed, filledAmount }: OrderRecord): boolean {
  return closed && filledAmount === 0;
}

/**
 * How old what a read shows must be so that nothing that comes may be the order's, by the exchange's
 * clock. `isLast`: so that it is not in doubt either.
 */
export function oldestTimeOf(order: LiveOrder, { isLast }: { readonly isLast: boolean }): number {
  return leastTimeOf(order) - (isLast ? AHEAD_MAX_MS : UNEVEN_MS);
}

/** The least that the exchange's clock showed when the order left, by our date where nothing told. */
function leastTimeOf(order: LiveOrder): number {
  return leftAfter(order) ?? order.createdTime - STAMP_TOLERANCE_MS;
}
