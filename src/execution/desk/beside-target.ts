import {
  type Amount,
  type Market,
  type OrderTerms,
  type Side,
  tradedDecimal,
} from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';

/** An order, or one that is to leave: nothing of that has filled. */
export interface Fillable extends Pick<OrderTerms, 'side' | 'price' | 'amount'> {
  readonly filledAmount?: Amount;
}

/** What the orders of a side leave open, together. */
export function openOf(
  orders: readonly Fillable[],
  { market, side }: { readonly market: Market; readonly side: Side },
): Decimal {
  return orders
    .filter((order) => order.side === side)
    .reduce((sum, order) => sum.plus(openExactly(market, order)), Decimal.ZERO);
}

function openExactly(market: Market, { amount, filledAmount }: Fillable): Decimal {
  const all = tradedDecimal(market, amount);
  return filledAmount === undefined ? all : all.minus(tradedDecimal(market, filledAmount));
}

export interface Shrinking {
  readonly market: Market;
  /** The side of the order that leads to the target. */
  readonly side: Side;
  readonly held: Decimal;
  readonly wanted: Decimal;
  /** Orders that stay: what the target leaves is theirs first. Default: none. */
  readonly staying?: readonly Fillable[];
}

/**
 * Of the strategy's orders by a tag that rest, or are to leave, those that give way to a target which
 * shrinks what is held: of its side, the furthest from the market first, until the others trade no
 * more than what the target leaves. They hold the coins that it sells, and would sell them once more.
 */
export function givingWay<T extends Fillable>(
  orders: readonly T[],
  { market, side, held, wanted, staying = [] }: Shrinking,
): readonly T[] {
  if (held.sign !== (side === 'sell' ? 1 : -1)) return [];
  const ofSide = orders.filter((order) => order.side === side);
  const nearestFirst = ofSide.sort((a, b) => (side === 'sell' ? 1 : -1) * (a.price - b.price));
  const leaves = wanted.sign === held.sign ? wanted.abs() : Decimal.ZERO;
  let left = leaves.minus(openOf(staying, { market, side }));
  return nearestFirst.filter((order) => {
    const rest = left.minus(openExactly(market, order));
    if (rest.sign >= 0) left = rest;
    return rest.sign < 0;
  });
}

/**
 * What a target comes to mean when an order by a tag has moved the position by `moved`, to `held`.
 * What led towards it counts; what led away from it, or beyond, was wished too, and is not undone.
 */
export function movedTarget(
  wanted: Decimal,
  { held, moved }: { readonly held: Decimal; readonly moved: Decimal },
): Decimal {
  const way = wanted.minus(held.minus(moved));
  if (way.sign !== moved.sign) return wanted.plus(moved);
  return moved.abs().compare(way.abs()) > 0 ? held : wanted;
}
