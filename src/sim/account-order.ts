import type { Amount, OrderRecord, OrderType, Price, Side } from '../domain/index.ts';
import { Decimal, fromUnits } from '../kernel/index.ts';
import type { MarketUnits } from './market-units.ts';
import { Order } from './order.ts';
import type { OrderIds } from './order-ids.ts';

/** What an account asks for, in whole units, already checked. */
export interface AccountOrderTerms {
  /** Running number of the exchange's orders. */
  readonly ordinal: number;
  readonly ids: OrderIds;
  readonly account: number;
  readonly owner: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: number;
  readonly amount: number;
  readonly clientOrderId: string | undefined;
  /** When the exchange took it, milliseconds since the epoch. */
  readonly time: number;
}

/** An order of an account, with its story: the exchange's own record of it. */
export class AccountOrder extends Order {
  readonly ordinal: number;
  readonly account: number;
  readonly type: OrderType;
  readonly amount: number;
  readonly clientOrderId: string | undefined;
  readonly time: number;
  /** Sum of price x amount of the fills, in whole units of both. */
  filledValue = 0;
  closed = false;
  readonly #ids: OrderIds;

  constructor(terms: AccountOrderTerms) {
    super(terms);
    this.ordinal = terms.ordinal;
    this.#ids = terms.ids;
    this.account = terms.account;
    this.type = terms.type;
    this.amount = terms.amount;
    this.clientOrderId = terms.clientOrderId;
    this.time = terms.time;
  }

  get exchangeOrderId(): string {
    return this.#ids.text(this.ordinal, this.time);
  }
}

/** The order as it stands, in the terms of the exchange port. */
export function recordOf(order: AccountOrder, { market, valueScale }: MarketUnits): OrderRecord {
  return {
    market: market.id,
    side: order.side,
    type: order.type,
    price: fromUnits(order.price, market.priceScale) as Price,
    amount: fromUnits(order.amount, market.amountScale) as Amount,
    exchangeOrderId: order.exchangeOrderId,
    filledAmount: fromUnits(order.amount - order.remaining, market.amountScale) as Amount,
    filledValue: new Decimal(BigInt(order.filledValue), valueScale),
    closed: order.closed,
    exchangeTime: order.time,
  };
}
