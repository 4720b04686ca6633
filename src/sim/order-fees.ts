import { chargedFee, type OrderCharges } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import type { FeeRate } from './fee-rate.ts';
import type { MarketUnits } from './market-units.ts';
import type { OrderStore } from './order-store.ts';
import type { OrderFill } from './settlement.ts';

export interface OrderFeesOptions {
  readonly charges: OrderCharges;
  readonly units: MarketUnits;
  readonly orders: OrderStore;
  /** The rate of a fee that is computed before it is known whether the order makes or takes. */
  readonly highestRate: FeeRate;
}

/** What an order has traded so far, and the fees for it, in whole units of the quote currency. */
interface Traded {
  readonly share: number;
  readonly value: number;
  readonly fee: number;
}

/** What is left of an order, and what that costs at its own price. */
interface Rest {
  readonly amount: number;
  readonly cost: number;
}

const NOTHING: Traded = { share: 0, value: 0, fee: 0 };

/**
 * The fees of the orders of one market where orders are charged by order and by unit as well as by
 * a share of each trade: in whole units of the quote currency.
 */
export class OrderFees {
  readonly #options: OrderFeesOptions;
  /** By slot; the entry of an order that has not traded yet is left from an earlier order. */
  readonly #traded: Traded[] = [];

  constructor(options: OrderFeesOptions) {
    this.#options = options;
  }

  /** The most that an order is charged in all, which is so if its rest trades at its own price. */
  atMost(order: number, { amount, cost }: Rest): number {
    const { orders, highestRate } = this.#options;
    const before = this.#before(order, amount);
    const share = before.share + highestRate.of(cost);
    return this.#total(order, { share, value: before.value + cost, amount: orders.amount(order) });
  }

  /** The part of `atMost` that the order has not been charged yet. */
  ahead(order: number, rest: Rest): number {
    return this.atMost(order, rest) - this.#before(order, rest.amount).fee;
  }

  /**
   * Charges an order for a fill, by which it was reduced already. Returns the fee, at most `room`;
   * what exceeds `room` is charged with its next fills.
   */
  charge(
    order: number,
    { fill, share, room }: { fill: OrderFill; share: number; room: number },
  ): number {
    const { orders } = this.#options;
    const remaining = orders.remaining(order);
    const before = this.#before(order, remaining + fill.amount);
    const sum = { share: before.share + share, value: before.value + fill.value };
    const total = this.#total(order, { ...sum, amount: orders.amount(order) - remaining });
    const fee = Math.min(total - before.fee, room);
    this.#traded[order] = { ...sum, fee: before.fee + fee };
    return fee;
  }

  #before(order: number, rest: number): Traded {
    if (rest === this.#options.orders.amount(order)) return NOTHING;
    return this.#traded[order] ?? NOTHING;
  }

  #total(order: number, traded: { share: number; value: number; amount: number }): number {
    const { charges, units, orders } = this.#options;
    const { market, quoteScale } = units;
    const fee = chargedFee(charges, {
      side: orders.isBuy(order) ? 'buy' : 'sell',
      share: new Decimal(traded.share, quoteScale),
      value: new Decimal(traded.value, quoteScale),
      amount: new Decimal(traded.amount, market.amountScale),
      scale: quoteScale,
    });
    return Number(fee.whole);
  }
}
