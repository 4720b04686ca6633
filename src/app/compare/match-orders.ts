import { MINUTE_MS } from '../../kernel/index.ts';
import type { TradedOrder } from './digest.ts';

/** How far apart two orders of one decision may have been made. */
const APART_MAX_MS = MINUTE_MS;

/** An order of both runs, or of one. */
export interface OrderPair {
  readonly a?: TradedOrder;
  readonly b?: TradedOrder;
}

/**
 * Pairs the orders of two runs: of one strategy, market and side, in the order of their making.
 *
 * Two are one decision where no more than a minute lies between them and neither has a neighbour
 * that is nearer to the other.
 */
export function matchOrders(a: Iterable<TradedOrder>, b: Iterable<TradedOrder>): OrderPair[] {
  const [ofA, ofB] = [grouped(a), grouped(b)];
  const keys = new Set([...ofA.keys(), ...ofB.keys()]);
  return [...keys].flatMap((key) => pairsOf(ofA.get(key) ?? [], ofB.get(key) ?? []));
}

function grouped(orders: Iterable<TradedOrder>): Map<string, TradedOrder[]> {
  const groups = new Map<string, TradedOrder[]>();
  for (const order of orders) {
    const key = `${order.strategy} ${order.market} ${order.side}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [order]);
    else group.push(order);
  }
  for (const group of groups.values()) group.sort((x, y) => x.createdTime - y.createdTime);
  return groups;
}

function pairsOf(a: readonly TradedOrder[], b: readonly TradedOrder[]): OrderPair[] {
  const pairs: OrderPair[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]];
    if (one !== undefined && other !== undefined && isNearest(one, other, { a, b, i, j })) {
      pairs.push({ a: one, b: other });
      i++;
      j++;
    } else if (other === undefined || (one !== undefined && one.createdTime <= other.createdTime)) {
      pairs.push({ a: one! });
      i++;
    } else {
      pairs.push({ b: other });
      j++;
    }
  }
  return pairs;
}

function isNearest(
  one: TradedOrder,
  other: TradedOrder,
  at: { a: readonly TradedOrder[]; b: readonly TradedOrder[]; i: number; j: number },
): boolean {
  const apart = distance(one, other);
  if (apart > APART_MAX_MS) return false;
  const { a, b, i, j } = at;
  return !(distance(a[i + 1], other) < apart || distance(one, b[j + 1]) < apart);
}

function distance(a: TradedOrder | undefined, b: TradedOrder | undefined): number {
  if (a === undefined || b === undefined) return Number.POSITIVE_INFINITY;
  return Math.abs(a.createdTime - b.createdTime);
}
