import type { OrderCharges } from '../domain/index.ts';
import type { Accounts } from './accounts.ts';
import { FeeRate } from './fee-rate.ts';
import type { StoredFill } from './fill-rows.ts';
import type { Lender } from './margin/index.ts';
import { costOf, type MarketUnits, tradedValue } from './market-units.ts';
import { OrderFees } from './order-fees.ts';
import { ANONYMOUS, type OrderStore } from './order-store.ts';

/** What trading in a market costs. */
export interface EngineFees {
  readonly maker: FeeRate;
  readonly taker: FeeRate;
  /** Beyond the rates, where fees are taken in the quote currency. Default: nothing. */
  readonly charges?: OrderCharges | undefined;
}

export interface SettlementOptions {
  readonly units: MarketUnits;
  readonly accounts: Accounts;
  readonly orders: OrderStore;
  readonly fees: EngineFees;
  /** Lends to orders that borrow. Default: nobody does, such orders need their own money. */
  readonly lender?: Lender | undefined;
}

/** A trade as one of its orders has it, in whole units of its market. */
export interface OrderFill extends StoredFill {
  /** Whether the order was the taker. */
  readonly took: boolean;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * The money of the orders of one market: what they freeze, pay, receive and are charged.
 *
 * The trade at hand is described by `fill`, one object that is reused for every trade.
 */
export class Settlement {
  /** The trade that is weighed or settled now. */
  readonly fill: Mutable<OrderFill> = {
    tradeId: 0,
    price: 0,
    amount: 0,
    value: 0,
    fee: 0,
    took: false,
    time: 0,
  };
  readonly #units: MarketUnits;
  readonly #accounts: Accounts;
  readonly #orders: OrderStore;
  readonly #lender: Lender | undefined;
  /** The rate by which money is frozen for fees, whichever rate will be charged. */
  readonly #highestRate: FeeRate;
  /** Whether buys and sells pay their fee on top of what they give, not out of what they get. */
  readonly #buysPayOnTop: boolean;
  readonly #sellsPayOnTop: boolean;
  /** Whether every price x amount is a whole number of units of the quote currency. */
  readonly #isWhole: boolean;
  /** Set where orders are charged more than a share of each trade. */
  readonly #orderFees: OrderFees | undefined;

  constructor({ units, accounts, orders, fees, lender }: SettlementOptions) {
    this.#units = units;
    this.#accounts = accounts;
    this.#orders = orders;
    this.#lender = lender;
    this.#highestRate = FeeRate.highest(fees.maker, fees.taker);
    this.#buysPayOnTop = units.buyFee === units.quote;
    this.#sellsPayOnTop = units.sellFee === units.base;
    this.#isWhole = units.quoteDivisor === 1;
    const { charges } = fees;
    const highestRate = this.#highestRate;
    this.#orderFees = charges && new OrderFees({ charges, units, orders, highestRate });
  }

  /** Sets `fill` to the trade of two orders: at the maker's price, as much as both have left. */
  weigh(maker: number, taker: number): void {
    const { fill } = this;
    const offered = this.#orders.remaining(maker);
    const wanted = this.#orders.remaining(taker);
    fill.price = this.#orders.price(maker);
    fill.amount = offered < wanted ? offered : wanted;
    fill.value = tradedValue(this.#units, fill);
  }

  /** Changes the price of `fill` to one that is no worse for the maker than its own. */
  reprice(price: number): void {
    const { fill } = this;
    fill.price = price;
    fill.value = tradedValue(this.#units, fill);
  }

  /** Whether the wallet of an order has room for what `fill` would bring in, before the fee. */
  admits(order: number): boolean {
    const owner = this.#orders.owner(order);
    if (owner === ANONYMOUS) return true;
    return this.#accounts.hasRoom(this.#receiving(order), this.#received(order));
  }

  /** Whether a sell brings in its own fee, where `fill` is all of the order at its own price. */
  isWorthItsFee(order: number): boolean {
    if (this.#orderFees === undefined || this.#orders.isBuy(order)) return true;
    const { amount, value: cost } = this.fill;
    return this.#orderFees.atMost(order, { amount, cost }) <= cost;
  }

  /** Freezes what an order needs; false, and nothing done, where its wallet has too little. */
  freeze(order: number): boolean {
    const units = this.#frozenFor(order, this.#orders.remaining(order));
    return this.#accounts.freeze(this.#giving(order), units);
  }

  /** As `freeze`, after the wallet has borrowed what it lacks; false when it may not. */
  freezeBorrowed(order: number): boolean {
    const currency = this.#orders.isBuy(order) ? this.#units.quote : this.#units.base;
    const units = this.#frozenFor(order, this.#orders.remaining(order));
    const lent = this.#lender?.lend(this.#orders.owner(order), { currency, units });
    return lent === true && this.freeze(order);
  }

  /** Gives back what an order has frozen for what remains of it. */
  release(order: number): void {
    this.#giveBack(order, this.#frozenFor(order, this.#orders.remaining(order)));
  }

  /**
   * Moves the money of `fill` for one of its orders, which it has reduced already. Returns the fee
   * taken, which is rounded up.
   */
  settle(order: number, rate: FeeRate): number {
    const { base, quote, baseFactor } = this.#units;
    const { value, price } = this.fill;
    const accounts = this.#accounts;
    const owner = this.#orders.owner(order);
    const isOwned = owner !== ANONYMOUS;
    const isBuy = this.#orders.isBuy(order);
    if (isOwned && (isBuy ? this.#buysPayOnTop : this.#sellsPayOnTop)) {
      return this.#settleOnTop(order, rate);
    }
    const amount = this.fill.amount * baseFactor;
    const received = isBuy ? amount : value;
    const receiving = accounts.cell(owner, isBuy ? base : quote);
    let fee = isOwned ? rate.of(received) : 0;
    if (this.#orderFees !== undefined && isOwned) fee = this.#chargeSell(order, fee);
    accounts.pay(accounts.cell(owner, isBuy ? quote : base), isBuy ? value : amount);
    // Where values need no rounding, a buy at its own price pays exactly what it sets free.
    const mayFree = isBuy && (price !== this.#orders.price(order) || !this.#isWhole);
    if (mayFree && isOwned) this.#giveBack(order, this.#setFree(order) - value);
    accounts.receive(receiving, received - fee);
    if (fee > 0) accounts.collectFee(receiving, fee);
    return fee;
  }

  /**
   * As `settle`, where the fee is paid on top of what is given. The share of a fill is at most what
   * the fill sets free of the money frozen for shares: so the shares of all fills of an order never
   * exceed that money.
   */
  #settleOnTop(order: number, rate: FeeRate): number {
    const { fill } = this;
    const accounts = this.#accounts;
    const remaining = this.#orders.remaining(order);
    const given = this.#given(order);
    const before = this.#costOf(order, remaining + fill.amount);
    const rest = this.#costOf(order, remaining);
    const frozen = this.#frozenFor(order, remaining + fill.amount);
    const forShares = this.#highestRate.of(before) - this.#highestRate.of(rest);
    const share = Math.min(rate.of(given), before - rest - given + forShares);
    const room = Number.POSITIVE_INFINITY;
    const fee = this.#orderFees?.charge(order, { fill, share, room }) ?? share;
    accounts.pay(this.#giving(order), given + fee);
    this.#giveBack(order, frozen - this.#frozenFor(order, remaining) - given - fee);
    accounts.receive(this.#receiving(order), this.#received(order));
    if (fee > 0) accounts.collectFee(this.#giving(order), fee);
    return fee;
  }

  /** The fee of a sell that is charged more than its share: `fill` pays it, then its wallet. */
  #chargeSell(order: number, share: number): number {
    const { fill } = this;
    const available = this.#accounts.available(this.#orders.owner(order), this.#units.quote);
    return this.#orderFees!.charge(order, { fill, share, room: fill.value + available });
  }

  /** Repays loans out of what `fill` brought in, if the order is one that repays. */
  repay(order: number): void {
    if (!this.#orders.repays(order)) return;
    const fee = this.#paysOnTop(order) ? 0 : this.fill.fee;
    const units = Math.max(0, this.#received(order) - fee);
    const currency = this.#orders.isBuy(order) ? this.#units.base : this.#units.quote;
    this.#lender?.repay(this.#orders.owner(order), { currency, units });
  }

  /** Gives frozen money back; if the order is one that repays, it then repays loans. */
  #giveBack(order: number, units: number): void {
    if (units === 0) return;
    this.#accounts.release(this.#giving(order), units);
    if (!this.#orders.repays(order)) return;
    const currency = this.#orders.isBuy(order) ? this.#units.quote : this.#units.base;
    this.#lender?.repay(this.#orders.owner(order), { currency, units });
  }

  /** What an order freezes for a part of its amount: what it gives, and the fee if paid on top. */
  #frozenFor(order: number, amount: number): number {
    const cost = this.#costOf(order, amount);
    if (!this.#paysOnTop(order)) return cost;
    const fee = this.#orderFees?.ahead(order, { amount, cost }) ?? this.#highestRate.of(cost);
    return cost + fee;
  }

  /** The frozen money that an order no longer needs after `fill` has reduced it. */
  #setFree(order: number): number {
    const remaining = this.#orders.remaining(order);
    const before = this.#frozenFor(order, remaining + this.fill.amount);
    return remaining === 0 ? before : before - this.#frozenFor(order, remaining);
  }

  /** What an order gives at its own price for a part of its amount. */
  #costOf(order: number, amount: number): number {
    if (!this.#orders.isBuy(order)) return amount * this.#units.baseFactor;
    return costOf(this.#units, { price: this.#orders.price(order), amount });
  }

  #paysOnTop(order: number): boolean {
    return this.#orders.isBuy(order) ? this.#buysPayOnTop : this.#sellsPayOnTop;
  }

  /** What `fill` takes from an order, before the fee. */
  #given(order: number): number {
    return this.#orders.isBuy(order) ? this.fill.value : this.fill.amount * this.#units.baseFactor;
  }

  /** What `fill` brings an order in, before the fee. */
  #received(order: number): number {
    return this.#orders.isBuy(order) ? this.fill.amount * this.#units.baseFactor : this.fill.value;
  }

  /** The cell that an order gives from. */
  #giving(order: number): number {
    const { base, quote } = this.#units;
    return this.#accounts.cell(this.#orders.owner(order), this.#orders.isBuy(order) ? quote : base);
  }

  /** The cell that an order receives into. */
  #receiving(order: number): number {
    const { base, quote } = this.#units;
    return this.#accounts.cell(this.#orders.owner(order), this.#orders.isBuy(order) ? base : quote);
  }
}
