import {
  type Amount,
  isBelowMinSize,
  type LiveOrder,
  type Market,
  tradedDecimal,
} from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import type { OrderLedger } from '../ledger/index.ts';
import type { Slot } from './slot.ts';

export interface ReplacedView {
  readonly market: Market;
  readonly orders: Pick<OrderLedger, 'get'>;
}

/**
 * What is left of an order by a tag, less what those have filled since it was wished that it replaces:
 * their strategy did not know of that. 0 where the rest is less than the market's least order.
 */
export function leftOf({ wished, price, replaced }: Slot, view: ReplacedView): Amount {
  const { market } = view;
  const taken = replaced.reduce((sum, order) => sum.plus(filledSince(order, view)), Decimal.ZERO);
  if (taken.sign === 0) return wished;
  const left = tradedDecimal(market, wished).minus(taken).round(market.amountScale, 'down');
  const amount = left.toNumber() as Amount;
  const isTooSmall = amount < market.minAmount || isBelowMinSize(market, { price, amount });
  return left.sign <= 0 || isTooSmall ? NOTHING : amount;
}

function filledSince(before: LiveOrder, { market, orders }: ReplacedView): Decimal {
  const now = orders.get(before.clientOrderId) ?? before;
  const filled = tradedDecimal(market, now.filledAmount);
  return filled.minus(tradedDecimal(market, before.filledAmount));
}

const NOTHING = 0 as Amount;
