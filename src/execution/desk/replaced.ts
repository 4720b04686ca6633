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
 * What is left of an order by a tag, less what those have filled since it was wished that it replaces:
 * their strategy did not know of that. 0 where the rest is less than the market's least order.
 */
export function leftOf({ wished, price, replaced }: Slot, view: ReplacedView): Amount {
  const taken = filledOf(replaced, view);
  return taken.sign === 0 ? wished : lessBy(taken, { amount: wished, price, market: view.market });
}

/**
 * The orders that quotes replace, and what these have filled since: that is taken off the quotes of
 * their side that have not left, in their order, until quotes are wished anew. Of orders towards a
 * target those that shrink what is held: others open by a wish of their own.
 */
export class ReplacedByQuotes {
  #orders: readonly LiveOrder[];
  readonly #taken = { buy: Decimal.ZERO, sell: Decimal.ZERO };

  /** Both as they were when the quotes were wished: the orders, and the sign of what was held. */
  constructor(orders: readonly LiveOrder[], heldSign: number) {
    const shrinking = heldSign > 0 ? 'sell' : 'buy';
    const shrinks = ({ side }: LiveOrder): boolean => heldSign !== 0 && side === shrinking;
    this.#orders = passing(orders, (order) => kindOf(order) === 'quotes' || shrinks(order));
  }

  /** One of the quotes is that order: it is replaced no more. */
  keep(clientOrderId: string): void {
    this.#orders = passing(this.#orders, (order) => order.clientOrderId !== clientOrderId);
  }

  /** Takes off the quotes what was filled since it was taken last. */
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

/** An order less what was filled in its place; 0 where that is less than the market's least order. */
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
