import {
  type Amount,
  type Market,
  type OrderTerms,
  type Side,
  tradedDecimal,
} from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';

/** An order, or one yet to leave, of which nothing has filled. */
export interface Fillable extends Pick<OrderTerms, 'side' | 'price' | 'amount'> {
  readonly filledAmount?: Amount;
}

/** The open amount of all orders of a side. */
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
  /** Orders that stay, and have first claim on what the target leaves. Default: none. */
  readonly staying?: readonly Fillable[];
}

/**
 * The single orders of a strategy, resting or yet to leave, that give way to a target which shrinks
 * the holding: orders of its side, the furthest from the market first, until the rest trades no
 * more than the target leaves. They hold the coins that the target sells, and would sell them a
 * second time.
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
 * The target after a single order moved the position by `moved`, to `held`. A move towards the
 * target counts as progress; a move away from it or beyond it was wished too, and is not undone.
 */
export function movedTarget(
  wanted: Decimal,
  { held, moved }: { readonly held: Decimal; readonly moved: Decimal },
): Decimal {
  const way = wanted.minus(held.minus(moved));
  if (way.sign !== moved.sign) return wanted.plus(moved);
  return moved.abs().compare(way.abs()) > 0 ? held : wanted;
}
