import { AFTER_ALL, deskOf, NO_WISH, type TradedOrder } from './digest.ts';
import { type MadeWish, matchWishes } from './match-wishes.ts';

/** An order of both runs, or of one. */
export interface OrderPair {
  readonly a?: TradedOrder;
  readonly b?: TradedOrder;
}

/** The orders of a run, in the order of their making, and the wishes that they come from. */
export interface PlacedOrders {
  readonly orders: ReadonlyMap<string, TradedOrder>;
  /** By `deskOf`. */
  readonly wishes: ReadonlyMap<string, readonly MadeWish[]>;
}

/**
 * Pairs the orders of two runs: those of one side and tag that come from the same wish, the first of
 * A with the first of B and so on. What was made before the first wish, or after the last, is paired
 * among itself.
 */
export function matchOrders(a: PlacedOrders, b: PlacedOrders): OrderPair[] {
  const partners = new Map(
    Array.from(a.wishes, ([desk, made]) => [desk, matchWishes(made, b.wishes.get(desk) ?? [])]),
  );
  const left = new Map<string, TradedOrder[]>();
  for (const order of b.orders.values()) {
    const key = keyOf(order, order.wish);
    const group = left.get(key);
    if (group === undefined) left.set(key, [order]);
    else group.push(order);
  }
  const pairs = Array.from(a.orders.values(), (order): OrderPair => {
    const wish = partnerOf(order, partners.get(deskOf(order)));
    const other = wish === undefined ? undefined : left.get(keyOf(order, wish))?.shift();
    return other === undefined ? { a: order } : { a: order, b: other };
  });
  return [...pairs, ...[...left.values()].flat().map((order) => ({ b: order }))];
}

/** The wish of B that an order of A comes from; undefined where B had none such. */
function partnerOf({ wish }: TradedOrder, partners: Int32Array | undefined): number | undefined {
  if (wish === NO_WISH || wish === AFTER_ALL) return wish;
  const partner = partners![wish]!;
  return partner < 0 ? undefined : partner;
}

function keyOf(order: TradedOrder, wish: number): string {
  const { side, tag } = order;
  return `${deskOf(order)} ${side} ${wish} ${tag}`;
}
