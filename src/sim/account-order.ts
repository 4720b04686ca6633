import type { Amount, OrderRecord, Price, Side } from '../domain/index.ts';
import type { AccountType } from '../exchange/index.ts';
import { Decimal, fromUnits } from '../kernel/index.ts';
import type { MarketUnits } from './market-units.ts';
import type { OrderIds } from './order-ids.ts';
import { NO_ORDER, type OrderStore } from './order-store.ts';

/**
 * An order of an account with its fills: a view of one row of a store, in whole units.
 *
 * Once the order has closed or been forgotten the row may hold another one: keep ids, not views.
 */
export class AccountOrder {
  #row: number;
  readonly #orders: OrderStore;
  readonly #ids: OrderIds;

  constructor(row: number, { orders, ids }: { orders: OrderStore; ids: OrderIds }) {
    this.#row = row;
    this.#orders = orders;
    this.#ids = ids;
  }

  /** Lets this view show the order of another row. */
  show(row: number): void {
    this.#row = row;
  }

  /** Its slot in the book's store, `NO_ORDER` once it has closed. */
  get slot(): number {
    return this.closed ? NO_ORDER : this.#row;
  }

  get exchangeOrderId(): string {
    return this.#ids.text(this.ordinal, this.time);
  }

  /** Running number of the exchange's orders. */
  get ordinal(): number {
    return this.#orders.ordinal(this.#row);
  }

  get account(): number {
    return this.#orders.account(this.#row);
  }

  get accountType(): AccountType {
    return this.#orders.accountType(this.#row);
  }

  get side(): Side {
    return this.#orders.isBuy(this.#row) ? 'buy' : 'sell';
  }

  get amount(): number {
    return this.#orders.amount(this.#row);
  }

  get remaining(): number {
    return this.#orders.remaining(this.#row);
  }

  /** When the exchange took it, milliseconds since the epoch. */
  get time(): number {
    return this.#orders.time(this.#row);
  }

  get closed(): boolean {
    return this.#orders.isClosed(this.#row);
  }

  /** How much of it has traded, in the terms of the exchange port. */
  filledAmount({ market }: MarketUnits): Amount {
    return fromUnits(this.amount - this.remaining, market.amountScale) as Amount;
  }

  /** The order as it stands, in the terms of the exchange port. */
  record(units: MarketUnits): OrderRecord {
    const { market, quoteScale } = units;
    const feeCurrency = this.side === 'buy' ? units.buyFee : units.sellFee;
    const feeScale = feeCurrency === units.base ? units.baseScale : units.quoteScale;
    return {
      market: market.id,
      side: this.side,
      type: this.#orders.type(this.#row),
      price: fromUnits(this.#orders.price(this.#row), market.priceScale) as Price,
      amount: fromUnits(this.amount, market.amountScale) as Amount,
      exchangeOrderId: this.exchangeOrderId,
      filledAmount: this.filledAmount(units),
      filledValue: new Decimal(this.#orders.filledValue(this.#row), quoteScale),
      closed: this.closed,
      exchangeTime: this.time,
      accountType: this.accountType,
      fee: new Decimal(this.#orders.fee(this.#row), feeScale),
      lastTrade: this.#lastTrade(units),
    };
  }

  #lastTrade({ market }: MarketUnits): OrderRecord['lastTrade'] {
    const orders = this.#orders;
    const row = this.#row;
    if (!orders.hasFilled(row)) return undefined;
    const { fills } = orders;
    return {
      id: String(fills.lastTradeId(row)),
      price: fromUnits(fills.lastPrice(row), market.priceScale),
      amount: fromUnits(fills.lastAmount(row), market.amountScale),
      time: fills.lastTime(row),
    };
  }
}
