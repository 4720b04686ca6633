import type { LiveOrder, OrderRecord } from '../../domain/index.ts';
import { leftAfter } from '../desk/tags.ts';
import { AHEAD_MAX_MS, type Horizon, STAMP_TOLERANCE_MS, UNEVEN_MS } from './horizon.ts';

/** Whether a record with an order's terms is the order's own; `doubtful`: cannot be told. */
export type Likeness = 'own' | 'doubtful' | 'other';

interface LikenessOptions {
  readonly order: LiveOrder;
  /** How many orders had been heard of when it left; undefined: it left in an earlier run. */
  readonly heardCount: number | undefined;
  readonly horizon: Horizon;
}

/**
 * Judges whether a record with the terms of an order of a batch is that order.
 *
 * A record newer than the horizon at which the order left came after it: it is the order. An older
 * record that ended unfilled is as good as none. A record a little older counts as the order, as
 * stamps differ; one much older may be it if an order with a wrong time had put the horizon ahead.
 * A record that this run had heard of before the order left is not the order; what an earlier run
 * had heard of is not known, so there the much older ones are doubtful.
 */
export function likenessOf(record: OrderRecord, options: LikenessOptions): Likeness {
  const { order, heardCount, horizon } = options;
  if (heardCount !== undefined && horizon.isAmong(heardCount, record)) return 'other';
  const { exchangeTime } = record;
  const time = leftAfter(order);
  if (time !== undefined && exchangeTime > time) return 'own';
  if (isVoid(record)) return 'other';
  // No order had been heard of at all, so there was none.
  if (time === undefined && heardCount !== undefined) return 'own';
  const leastTime = leastTimeOf(order);
  if (exchangeTime < leastTime - AHEAD_MAX_MS) return 'other';
  return heardCount !== undefined || exchangeTime >= leastTime - UNEVEN_MS ? 'own' : 'doubtful';
}

/**
 * Sorts candidates: those that rest or traded, which must be somebody's, come first, then the
 * newest.
 */
export function byWeight(a: OrderRecord, b: OrderRecord): number {
  return Number(isVoid(a)) - Number(isVoid(b)) || b.exchangeTime - a.exchangeTime;
}

/** Whether it ended unfilled. */
function isVoid({ closed, filledAmount }: OrderRecord): boolean {
  return closed && filledAmount === 0;
}

/**
 * The age, by the exchange's clock, that a read's pages must reach so that no later page can hold
 * the order. `isLast`: nor a doubtful record.
 */
export function oldestTimeOf(order: LiveOrder, { isLast }: { readonly isLast: boolean }): number {
  return leastTimeOf(order) - (isLast ? AHEAD_MAX_MS : UNEVEN_MS);
}

/** The least time of the exchange's clock when the order left, by our date if nothing told it. */
function leastTimeOf(order: LiveOrder): number {
  return leftAfter(order) ?? order.createdTime - STAMP_TOLERANCE_MS;
}
