import type { Amount, LiveOrder, Market, OrderTerms } from '../domain/index.ts';
import { fromUnits, toUnits } from '../kernel/index.ts';
import type { OrderDraft } from './approved.ts';
import { unitsBeyond } from './checks/position.ts';
import { paidFor } from './exits.ts';
import { Exposure } from './exposure.ts';
import type { FreeBalances } from './free-balances.ts';
import { against } from './opening.ts';
import type { OrderReview } from './review.ts';

/** What takes the room that an exit lacks. */
export interface ExitRoom {
  /** The fewest orders of other strategies whose end makes that room, or all where they are too few. */
  readonly takers: readonly LiveOrder[];
  /** What the free balance pays for of the exit once they are gone. */
  readonly draft: OrderDraft;
}

/**
 * Which orders have to end so that an exit has room, within the bounds of the position and by what is
 * free of the balance. They rest on its side, are among those that `givesWay` names, and open: their
 * strategies do not hold what they trade. None where it lacks no room.
 */
export function roomOf(
  review: OrderReview,
  options: {
    readonly balances: FreeBalances;
    readonly givesWay: (order: LiveOrder) => boolean;
  },
): ExitRoom {
  const { draft, rules } = review;
  const { amountScale } = rules.market;
  const wanted = toUnits(draft.amount, amountScale);
  // What fills of its own side have brought is of the other currency.
  const awaited = draft.side === 'buy' ? 'sell' : 'buy';
  const paid = Number(paidFor(review, options.balances, [awaited]) ?? wanted);
  const beyond = unitsBeyond(review);
  let [freed, freedPaid] = [0, 0];
  const takers: LiveOrder[] = [];
  for (const order of openersOf(review, options.givesWay)) {
    if (freed >= beyond && freedPaid >= wanted - paid) break;
    freed += openUnits(order, rules.market);
    freedPaid += paidUnits(order, review);
    takers.push(order);
  }
  const units = Math.max(0, Math.min(wanted, paid + freedPaid));
  return { takers, draft: { ...draft, amount: fromUnits(units, amountScale) as Amount } };
}

/**
 * What opens, in the order in which it gives way: what is on its way out already, then large ones
 * before small ones, so that they are few, and far ones before near ones.
 */
function openersOf(
  { view, strategy, draft: { side }, rules: { market } }: OrderReview,
  givesWay: (order: LiveOrder) => boolean,
): readonly LiveOrder[] {
  const farther = (one: OrderTerms, other: OrderTerms): number =>
    side === 'buy' ? one.price - other.price : other.price - one.price;
  const left = new Map<string, number>();
  const opens = (order: LiveOrder): boolean => {
    const held = against(view.positions.position(market.id, order.strategy), { side, market });
    const rest = (left.get(order.strategy) ?? held) - openUnits(order, market);
    if (rest >= 0) left.set(order.strategy, rest);
    return rest < 0;
  };
  const isLeaving = (order: LiveOrder): number => (order.status === 'cancelling' ? 1 : 0);
  return view.orders
    .live(market.id)
    .filter((order) => order.side === side && order.strategy !== strategy)
    .sort((one, other) => farther(other, one))
    .filter((order) => opens(order) && givesWay(order))
    .sort(
      (one, other) =>
        isLeaving(other) - isLeaving(one) ||
        openUnits(other, market) - openUnits(one, market) ||
        farther(one, other),
    );
}

/** What the money or the coins that an order holds back pay for of the exit, units. */
function paidUnits(order: LiveOrder, { draft, rules: { market } }: OrderReview): number {
  const { amountUnits, value } = Exposure.ofLive([order], market)[draft.side];
  if (draft.side === 'sell') return amountUnits;
  return Number(value.units / BigInt(toUnits(draft.price, market.priceScale)));
}

function openUnits(order: LiveOrder, market: Market): number {
  return Exposure.ofLive([order], market)[order.side].amountUnits;
}
