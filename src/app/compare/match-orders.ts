import { AFTER_ALL, deskOf, NO_WISH, summed, type TradedOrder } from './digest.ts';
import { type MadeWish, matchWishes } from './match-wishes.ts';

/** An order of both runs, or of one. */
export interface OrderPair {
  readonly a?: TradedOrder | undefined;
  readonly b?: TradedOrder | undefined;
}

/** The orders of a run, oldest first, and the wishes that they come from. */
export interface PlacedOrders {
  readonly orders: ReadonlyMap<string, TradedOrder>;
  /** By `deskOf`. */
  readonly wishes: ReadonlyMap<string, readonly MadeWish[]>;
}

type Groups = ReadonlyMap<string, readonly TradedOrder[]>;

/**
 * Pairs the orders of two runs: those of one side and tag that come from the same wish, the first
 * of A with the first of B and so on. Further orders that only one run placed for the same wish, to
 * try again, are summed with its last paired one. Orders made before the first wish or after the
 * strategy's end are paired among themselves.
 */
export function matchOrders(a: PlacedOrders, b: PlacedOrders): OrderPair[] {
  const partners = new Map(
    Array.from(a.wishes, ([desk, made]) => [desk, matchWishes(made, b.wishes.get(desk) ?? [])]),
  );
  const ofA = groupsOf(a, (order) => partnerOf(order, partners.get(deskOf(order))));
  const ofB = groupsOf(b, ({ wish }) => wish);
  const pairs = Array.from(ofA, ([key, orders]) => pairsOf(orders, ofB.get(key) ?? []));
  const left = Array.from(ofB, ([key, orders]) => (ofA.has(key) ? [] : pairsOf([], orders)));
  return [...pairs.flat(), ...left.flat()];
}

/** Groups orders by desk, side, wish and tag. An order of A whose wish B lacks is a group alone. */
function groupsOf(
  { orders }: PlacedOrders,
  wishOf: (order: TradedOrder) => number | undefined,
): Groups {
  return Map.groupBy(orders.values(), (order) => {
    const { side, tag, clientOrderId } = order;
    const wish = wishOf(order) ?? `of ${clientOrderId}`;
    return `${deskOf(order)} ${side} ${wish} ${tag}`;
  });
}

/** B's counterpart of the wish that an order of A comes from; undefined if there is none. */
function partnerOf({ wish }: TradedOrder, partners: Int32Array | undefined): number | undefined {
  if (wish === NO_WISH || wish === AFTER_ALL) return wish;
  const partner = partners![wish]!;
  return partner < 0 ? undefined : partner;
}

/** Pairs orders one by one. For a wish, what one side has beyond the other joins the last pair. */
function pairsOf(a: readonly TradedOrder[], b: readonly TradedOrder[]): OrderPair[] {
  const common = Math.min(a.length, b.length);
  const isOfWish = common > 0 && a[0]!.wish >= 0;
  const [ofA, ofB] = isOfWish ? [joined(a, common), joined(b, common)] : [a, b];
  const length = Math.max(ofA.length, ofB.length);
  return Array.from({ length }, (_, at) => ({ a: ofA[at], b: ofB[at] }));
}

/** The first `count` orders; the last of them is the sum of all from its place on. */
function joined(orders: readonly TradedOrder[], count: number): readonly TradedOrder[] {
  if (orders.length === count) return orders;
  return [...orders.slice(0, count - 1), summed(orders.slice(count - 1))];
}
