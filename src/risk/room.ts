import type { Amount, LiveOrder, Market, OrderTerms } from '../domain/index.ts';
import { Decimal, fromUnits, toUnits } from '../kernel/index.ts';
import type { OrderDraft } from './approved.ts';
import { unitsBeyond } from './checks/position.ts';
import { paidFor } from './exits.ts';
import { Exposure } from './exposure.ts';
import type { FreeBalances } from './free-balances.ts';
import { against } from './opening.ts';
import type { OrderReview } from './review.ts';

/** The orders that take the room an exit lacks. */
export interface ExitRoom {
  /**
   * The fewest orders of other strategies whose end makes that room; all of them if that is not
   * enough.
   */
  readonly takers: readonly LiveOrder[];
  /** The exit, cut down to what the free balance pays for once they are gone. */
  readonly draft: OrderDraft;
}

/**
 * The orders that must end so that an exit has room, within the bounds of the position and by the
 * free balance. They rest on its side or hold the same currency in another market, `givesWay` names
 * them, and they open a position: their strategies do not hold what they trade. None if it has
 * room.
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
  // Fills of its own side bring the other currency, so only the other side's are awaited.
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
  for (const order of holdersElsewhere(review, options.givesWay)) {
    if (freedPaid >= wanted - paid) break;
    freedPaid += paidUnits(order, review);
    takers.push(order);
  }
  const units = Math.max(0, Math.min(wanted, paid + freedPaid));
  return { takers, draft: { ...draft, amount: fromUnits(units, amountScale) as Amount } };
}

/**
 * Orders of its side that open, in the order in which they give way: those already being cancelled
 * first, then large before small, so that few end, and far before near.
 */
function openersOf(
  { view, strategy, draft: { side }, rules: { market } }: OrderReview,
  givesWay: (order: LiveOrder) => boolean,
): readonly LiveOrder[] {
  const farther = (one: OrderTerms, other: OrderTerms): number =>
    side === 'buy' ? one.price - other.price : other.price - one.price;
  const opens = opensIn(view);
  return view.orders
    .live(market.id)
    .filter((order) => order.side === side && order.strategy !== strategy)
    .sort((one, other) => farther(other, one))
    .filter((order) => opens(order, market) && givesWay(order))
    .sort(
      (one, other) =>
        isLeaving(other) - isLeaving(one) ||
        openUnits(other, market) - openUnits(one, market) ||
        farther(one, other),
    );
}

/** Opening orders in other markets that hold back the currency the exit needs, large ones first. */
function holdersElsewhere(
  review: OrderReview,
  givesWay: (order: LiveOrder) => boolean,
): readonly LiveOrder[] {
  const { view, draft, rules } = review;
  const { id, base, quote } = rules.market;
  const needed = draft.side === 'buy' ? quote : base;
  const opens = opensIn(view);
  return [...view.orders.allLive()]
    .filter((order) => {
      const market = view.rules.of(order.market)?.market;
      if (market === undefined || market.id === id) return false;
      const held = order.side === 'buy' ? market.quote : market.base;
      return held === needed && opens(order, market) && givesWay(order);
    })
    .sort(
      (one, other) =>
        isLeaving(other) - isLeaving(one) || paidUnits(other, review) - paidUnits(one, review),
    );
}

/**
 * Returns a predicate to be asked of one order after another: whether the order trades more than
 * the earlier ones leave of its strategy's holding.
 */
function opensIn(view: OrderReview['view']): (order: LiveOrder, market: Market) => boolean {
  const left = new Map<string, number>();
  return (order, market) => {
    const { strategy, side } = order;
    const key = `${market.id} ${strategy}`;
    const held = against(view.positions.position(market.id, strategy), { side, market });
    const rest = (left.get(key) ?? held) - openUnits(order, market);
    if (rest >= 0) left.set(key, rest);
    return rest < 0;
  };
}

function isLeaving({ status }: LiveOrder): number {
  return status === 'cancelling' ? 1 : 0;
}

/** Units of the exit that the money or coins held back by an order would pay for. */
function paidUnits(order: LiveOrder, { view, draft, rules }: OrderReview): number {
  const { market } = view.rules.of(order.market)!;
  const { amountUnits, value } = Exposure.ofLive([order], market)[order.side];
  const held = order.side === 'sell' ? new Decimal(amountUnits, market.amountScale) : value;
  const { amountScale, priceScale } = rules.market;
  if (draft.side === 'sell') return Number(held.round(amountScale, 'down').units);
  const price = BigInt(toUnits(draft.price, priceScale));
  return Number(held.round(rules.valueScale, 'down').units / price);
}

function openUnits(order: LiveOrder, market: Market): number {
  return Exposure.ofLive([order], market)[order.side].amountUnits;
}
