import type { Amount, OrderRecord, OrderType, Price, Side } from '../domain/index.ts';
import { Decimal, fromUnits } from '../kernel/index.ts';
import type { MarketUnits } from './market-units.ts';
import type { OrderIds } from './order-ids.ts';
import type { OrderStore } from './order-store.ts';

/**
 * An order of an account, with its story: a view of a slot of the store, in whole units.
 *
 * Once the archive has forgotten it the slot shows another order: hold ids, not views.
 */
export class AccountOrder {
  /** Which order it shows. */
  slot: number;
  readonly #orders: OrderStore;
  readonly #ids: OrderIds;

  constructor(slot: number, { orders, ids }: { orders: OrderStore; ids: OrderIds }) {
    this.slot = slot;
    this.#orders = orders;
    this.#ids = ids;
  }

  get exchangeOrderId(): string {
    return this.#ids.text(this.ordinal, this.time);
  }

  /** Running number of the exchange's orders. */
  get ordinal(): number {
    return this.#orders.ordinal(this.slot);
  }

  /** The row of balances that it trades for. */
  get owner(): number {
    return this.#orders.owner(this.slot);
  }

  get account(): number {
    return this.#orders.account(this.slot);
  }

  get clientOrderId(): string | undefined {
    return this.#orders.clientOrderId(this.slot);
  }

  get side(): Side {
    return this.#orders.isBuy(this.slot) ? 'buy' : 'sell';
  }

  get type(): OrderType {
    return this.#orders.type(this.slot);
  }

  get price(): number {
    return this.#orders.price(this.slot);
  }

  get amount(): number {
    return this.#orders.amount(this.slot);
  }

  get remaining(): number {
    return this.#orders.remaining(this.slot);
  }

  /** When the exchange took it, milliseconds since the epoch. */
  get time(): number {
    return this.#orders.time(this.slot);
  }

  get closed(): boolean {
    return this.#orders.isClosed(this.slot);
  }

  /** The order as it stands, in the terms of the exchange port. */
  record(units: MarketUnits): OrderRecord {
    const { market, valueScale } = units;
    const lastTrade = this.#lastTrade(units);
    const feeScale = this.side === 'buy' ? units.baseScale : units.quoteScale;
    const filledAmount = this.amount - this.remaining;
    return {
      market: market.id,
      side: this.side,
      type: this.type,
      price: fromUnits(this.price, market.priceScale) as Price,
      amount: fromUnits(this.amount, market.amountScale) as Amount,
      exchangeOrderId: this.exchangeOrderId,
      filledAmount: fromUnits(filledAmount, market.amountScale) as Amount,
      filledValue: new Decimal(BigInt(this.#orders.filledValue(this.slot)), valueScale),
      closed: this.closed,
      exchangeTime: this.time,
      accountType: this.#orders.accountType(this.slot),
      fee: new Decimal(BigInt(this.#orders.fee(this.slot)), feeScale),
      ...(lastTrade === undefined ? {} : { lastTrade }),
    };
  }

  #lastTrade({ market }: MarketUnits): OrderRecord['lastTrade'] {
    const fill = this.#orders.lastFill(this.slot);
    if (fill === undefined) return undefined;
    return {
      id: String(fill.tradeId),
      price: fromUnits(fill.price, market.priceScale),
      amount: fromUnits(fill.amount, market.amountScale),
      time: fill.time,
    };
  }
}

/** The order as it stands, in the terms of the exchange port. */
export function recordOf(order: AccountOrder, units: MarketUnits): OrderRecord {
  return order.record(units);
}
