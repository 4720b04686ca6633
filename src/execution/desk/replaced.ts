import {
  type Amount,
  isBelowMinSize,
  type LiveOrder,
  type Market,
  type Price,
  SIDES,
  type Side,
  tradedDecimal,
} from '../../domain/index.ts';
import { Decimal, passing } from '../../kernel/index.ts';
import type { OrderLedger } from '../../ledger/index.ts';
import type { Slot } from './slot.ts';
import { kindOf } from './tags.ts';

export interface ReplacedView {
  readonly market: Market;
  readonly orders: Pick<OrderLedger, 'get'>;
}

/**
 * The amount of a single order less what the orders that it replaces have filled since it was
 * wished, which its strategy did not know of. 0 if that is below the market's least order.
 */
export function leftOf({ wished, price, replaced }: Slot, view: ReplacedView): Amount {
  const taken = filledOf(replaced, view);
  return taken.sign === 0 ? wished : lessBy(taken, { amount: wished, price, market: view.market });
}

/**
 * The orders that quotes replace, and their fills since. These fills are taken off the quotes of
 * the same side that have not left, in order, until quotes are wished anew. Of orders towards a
 * target only those count that shrink the holding: the others open by a wish of their own.
 */
export class ReplacedByQuotes {
  #orders: readonly LiveOrder[];
  readonly #taken = { buy: Decimal.ZERO, sell: Decimal.ZERO };

  /** The orders, and the sign of the position, as they were when the quotes were wished. */
  constructor(orders: readonly LiveOrder[], heldSign: number) {
    const shrinking = heldSign > 0 ? 'sell' : 'buy';
    const shrinks = ({ side }: LiveOrder): boolean => heldSign !== 0 && side === shrinking;
    this.#orders = passing(orders, (order) => kindOf(order) === 'quotes' || shrinks(order));
  }

  /** The order serves one of the quotes: it is not replaced. */
  keep(clientOrderId: string): void {
    this.#orders = passing(this.#orders, (order) => order.clientOrderId !== clientOrderId);
  }

  /** Takes new fills of the replaced orders off the quotes. */
  cut(quotes: readonly Slot[], view: ReplacedView): void {
    if (this.#orders.every((order) => !hasFilled(order, view))) return;
    for (const side of SIDES) this.#cutSide(side, { quotes, view });
  }

  #cutSide(
    side: Side,
    { quotes, view }: { readonly quotes: readonly Slot[]; readonly view: ReplacedView },
  ): void {
    const { market } = view;
    const filled = filledOf(
      this.#orders.filter((order) => order.side === side),
      view,
    );
    for (const slot of quotes) {
      const more = filled.minus(this.#taken[side]);
      if (more.sign <= 0) return;
      if (slot.side !== side || !slot.isEmpty) continue;
      const before = tradedDecimal(market, slot.amount);
      const taken = more.compare(before) < 0 ? more : before;
      this.#taken[side] = this.#taken[side].plus(taken);
      slot.amount = lessBy(taken, { amount: slot.amount, price: slot.price, market });
      slot.done = slot.amount === 0;
    }
  }
}

interface Lessened {
  readonly amount: Amount;
  readonly price: Price;
  readonly market: Market;
}

/** An amount less what was filled in its place; 0 if the rest is below the market's least order. */
function lessBy(taken: Decimal, { amount: all, price, market }: Lessened): Amount {
  const left = tradedDecimal(market, all).minus(taken).round(market.amountScale, 'down');
  const amount = left.toNumber() as Amount;
  const isTooSmall = amount < market.minAmount || isBelowMinSize(market, { price, amount });
  return isTooSmall ? NOTHING : amount;
}

function filledOf(orders: readonly LiveOrder[], view: ReplacedView): Decimal {
  return orders.reduce((sum, order) => sum.plus(filledSince(order, view)), Decimal.ZERO);
}

function hasFilled({ clientOrderId, filledAmount }: LiveOrder, { orders }: ReplacedView): boolean {
  return (orders.get(clientOrderId)?.filledAmount ?? filledAmount) !== filledAmount;
}

function filledSince(before: LiveOrder, { market, orders }: ReplacedView): Decimal {
  const now = orders.get(before.clientOrderId) ?? before;
  const filled = tradedDecimal(market, now.filledAmount);
  return filled.minus(tradedDecimal(market, before.filledAmount));
}

const NOTHING = 0 as Amount;
