import type { Side } from '../domain/index.ts';
import { CODES, type PlaceRequest } from '../exchange/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { AccountOrder } from './account-order.ts';
import type { Accounts, Sum } from './accounts.ts';
import { type Bar, Bars } from './bars.ts';
import { Book } from './book.ts';
import type { FeeRate } from './fee-rate.ts';
import type { Lender } from './margin/lender.ts';
import { costOf, type MarketUnits, tradedValue } from './market-units.ts';
import { OrderArchive } from './order-archive.ts';
import { checkedUnits, POST_ONLY_REJECTION, rejection } from './order-checks.ts';
import type { OrderIds } from './order-ids.ts';
import { ANONYMOUS, NO_ORDER } from './order-store.ts';
import { Tape } from './tape.ts';

export interface MatchingEngineOptions {
  readonly clock: Clock;
  readonly units: MarketUnits;
  readonly accounts: Accounts;
  readonly fees: { readonly maker: FeeRate; readonly taker: FeeRate };
  readonly ids: OrderIds;
  /** Gives each order of the exchange its running number. */
  readonly nextOrdinal: () => number;
  /**
   * Called with an order of an account after each change of it; must not touch the market. The
   * order is the same view each time, showing another order: to be read, not kept.
   */
  readonly orderChanged: (order: AccountOrder) => void;
  /** Called with each fill of an order of an account; as `orderChanged`, and right before it. */
  readonly orderFilled?: ((order: AccountOrder, fill: OrderFill) => void) | undefined;
  /** Lends to orders that borrow. Default: nobody does, such orders need their own money. */
  readonly lender?: Lender | undefined;
}

/** What a fill moved, in whole units of its market; the fee in those of the currency received. */
export interface OrderFill {
  readonly price: number;
  readonly amount: number;
  /** What was paid, in whole units of the quote currency. */
  readonly value: number;
  readonly fee: number;
}

const NO_ROOM =
  'Cannot place an order: what it brings in is more than its wallet can hold, less than 2^53 units ' +
  'of a currency in all are wanted';

/** Fields of a request to place that the engine reads; the market is the engine's own. */
export type Placement = Omit<PlaceRequest, 'market'>;

/**
 * One market at work: the book, what stands behind its orders, and the trades that come of it.
 *
 * Synchronous and complete in each call: orders freeze balances, matches settle at once to the last
 * digit, trades go to the tape and the bars.
 *
 * No settlement is ever half done: whether the wallets have room for what a trade brings in is seen
 * before anything moves. An order of an account whose wallet has none is cancelled there, be it the
 * taker or the one that rests; matching goes on with the next.
 */
export class MatchingEngine {
  readonly units: MarketUnits;
  readonly book = new Book();
  readonly orders: OrderArchive;
  readonly bars = new Bars();
  readonly tape: Tape;
  #armsLengthPrice = 0;
  readonly #options: MatchingEngineOptions;
  readonly #changed: AccountOrder;

  /** The first trade id is the time: ids keep growing over a restart. */
  constructor(options: MatchingEngineOptions) {
    this.#options = options;
    this.units = options.units;
    this.orders = new OrderArchive({ orders: this.book.orders, ids: options.ids });
    this.#changed = this.orders.view(NO_ORDER);
    this.tape = new Tape(Math.max(1, Math.floor(options.clock.now())));
  }

  /** Price of the newest trade that was not one of an account with itself, 0 while there is none. */
  get armsLengthPrice(): number {
    return this.#armsLengthPrice;
  }

  /** Adds a whole minute of the past. Minutes come in order of time, before any trade. */
  recordPast(minute: Bar): void {
    this.bars.recordMinute(minute);
    this.#armsLengthPrice = minute.close;
  }

  /**
   * Takes an order of an account: freezes its cost, matches it and lets the rest of it rest. Answers
   * with the order's slot.
   *
   * @throws {ExchangeFailure} `rejected`; nothing has happened then.
   */
  place(account: number, placement: Placement): number {
    const { book } = this;
    const order = this.#accept(account, placement);
    this.orders.add(order);
    this.#tell(order);
    const taken = this.#take(order);
    if (book.orders.remaining(order) > 0) {
      if (placement.type === 'ioc' || !taken) this.#close(order);
      else book.rest(order);
    }
    return order;
  }

  /** Cancels an open order and gives back what it had frozen; false when it is closed. */
  cancel(order: number): boolean {
    if (!this.book.remove(order)) return false;
    this.#close(order);
    return true;
  }

  /** Lets an order without an account trade as it is; what remains of it rests if told so. */
  placeAnonymous(order: number, { rests }: { rests: boolean }): void {
    this.#take(order);
    if (rests && this.book.orders.remaining(order) > 0) this.book.rest(order);
  }

  /** Lets an order without an account fill the account orders within its limit, and only those. */
  crossAccounts(taker: number): void {
    for (;;) {
      const maker = this.book.accountMakerFor(taker);
      if (maker === NO_ORDER) return;
      if (this.#admits(maker, { maker, taker })) this.#tradeAndPublish(maker, taker);
      else this.cancel(maker);
    }
  }

  /** A trade that really happened: takes what it meets and is published as it was. */
  print(trade: { takerSide: Side; price: number; amount: number }): void {
    const { takerSide: side, price, amount } = trade;
    const { orders } = this.book;
    const taker = orders.add({ owner: ANONYMOUS, side, price, amount });
    for (;;) {
      const maker = this.book.makerFor(taker);
      if (maker === NO_ORDER) break;
      if (this.#admits(maker, { maker, taker })) this.#trade(maker, taker);
      else this.cancel(maker);
    }
    orders.free(taker);
    this.#armsLengthPrice = price;
    this.#publish(trade);
  }

  /**
   * Trades an order against what rests opposite within its limit. It does not rest afterwards. False
   * when it had to stop before, as its wallet has no room for more.
   */
  #take(taker: number): boolean {
    for (;;) {
      const maker = this.book.makerFor(taker);
      if (maker === NO_ORDER) return true;
      if (!this.#admits(taker, { maker, taker })) return false;
      if (this.#admits(maker, { maker, taker })) this.#tradeAndPublish(maker, taker);
      else this.cancel(maker);
    }
  }

  /** Whether one of two orders has room for what their trade would bring it in. */
  #admits(order: number, { maker, taker }: { maker: number; taker: number }): boolean {
    const { orders } = this.book;
    const owner = orders.owner(order);
    if (owner === ANONYMOUS) return true;
    const amount = Math.min(orders.remaining(maker), orders.remaining(taker));
    const terms = { price: orders.price(maker), amount };
    return this.#options.accounts.hasRoom(owner, this.#proceeds(orders.isBuy(order), terms));
  }

  #accept(account: number, placement: Placement): number {
    const { clock, accounts, nextOrdinal } = this.#options;
    const { price, amount } = checkedUnits(placement, this.units);
    const { side, type, clientOrderId, accountType = 0, repay = false } = placement;
    if (type === 'postOnly' && this.book.wouldTake(side, price)) {
      throw rejection(POST_ONLY_REJECTION.code, POST_ONLY_REJECTION.message);
    }
    const owner = accounts.rowOf(account, accountType);
    if (!accounts.hasRoom(owner, this.#proceeds(side === 'buy', { price, amount }))) {
      throw rejection(CODES.invalidAmount, NO_ROOM);
    }
    const cost = this.#cost(side === 'buy', { price, amount });
    if (!accounts.freeze(owner, cost)) this.#freezeBorrowed(owner, { cost, placement });
    return this.book.orders.addOfAccount({
      ordinal: nextOrdinal(),
      account,
      accountType,
      owner,
      side,
      type,
      price,
      amount,
      clientOrderId,
      repays: repay && accountType !== 0,
      time: clock.now(),
    });
  }

  /** Freezes the cost of an order that its wallet cannot pay, with what it may borrow. */
  #freezeBorrowed(owner: number, order: { cost: Sum; placement: Placement }): void {
    const { accounts, lender } = this.#options;
    const { borrow = false, accountType = 0 } = order.placement;
    const lends = borrow && accountType !== 0 && lender?.lend(owner, order.cost) === true;
    if (lends && accounts.freeze(owner, order.cost)) return;
    throw rejection(CODES.balance, 'Cannot place an order: the account balance is not enough');
  }

  /** What an order must have frozen: its value for a buy, its amount for a sell. */
  #cost(buys: boolean, { price, amount }: { price: number; amount: number }): Sum {
    const { base, quote, baseFactor } = this.units;
    return buys
      ? { currency: quote, units: costOf(this.units, { price, amount }) }
      : { currency: base, units: amount * baseFactor };
  }

  /** What a trade brings in before the fee: its amount for a buy, its value for a sell. */
  #proceeds(buys: boolean, { price, amount }: { price: number; amount: number }): Sum {
    const { base, quote, baseFactor } = this.units;
    return buys
      ? { currency: base, units: amount * baseFactor }
      : { currency: quote, units: tradedValue(this.units, { price, amount }) };
  }

  #close(order: number): void {
    const { orders } = this.book;
    orders.close(order);
    const terms = { price: orders.price(order), amount: orders.remaining(order) };
    this.#release(order, this.#cost(orders.isBuy(order), terms));
    this.#tell(order);
    this.orders.close(order);
  }

  #tradeAndPublish(maker: number, taker: number): void {
    const { orders } = this.book;
    const price = orders.price(maker);
    const amount = this.#trade(maker, taker);
    this.#publish({ takerSide: orders.isBuy(taker) ? 'buy' : 'sell', price, amount });
  }

  /** Trades two orders: the amount. Both are settled and told of. */
  #trade(maker: number, taker: number): number {
    const { orders } = this.book;
    const amount = this.book.trade(maker, taker);
    const { fees } = this.#options;
    const price = orders.price(maker);
    if (!this.#isSelfTrade(maker, taker)) this.#armsLengthPrice = price;
    if (orders.owner(maker) === ANONYMOUS && orders.owner(taker) === ANONYMOUS) return amount;
    const value = tradedValue(this.units, { price, amount });
    const makerFee = this.#settle(maker, { price, amount, value, rate: fees.maker });
    const takerFee = this.#settle(taker, { price, amount, value, rate: fees.taker });
    this.#recordFill(maker, { price, amount, value, fee: makerFee });
    this.#recordFill(taker, { price, amount, value, fee: takerFee });
    return amount;
  }

  #isSelfTrade(maker: number, taker: number): boolean {
    const { orders } = this.book;
    if (orders.owner(maker) === ANONYMOUS || orders.owner(taker) === ANONYMOUS) return false;
    return orders.account(maker) === orders.account(taker);
  }

  /** Moves the money of one side of a trade: the fee taken. */
  #settle(order: number, fill: Omit<OrderFill, 'fee'> & { rate: FeeRate }): number {
    const { accounts } = this.#options;
    const { orders } = this.book;
    const { base, quote, baseFactor } = this.units;
    const { amount, value, rate } = fill;
    const owner = orders.owner(order);
    const baseUnits = amount * baseFactor;
    if (!orders.isBuy(order)) {
      accounts.pay(owner, { currency: base, units: baseUnits });
      return accounts.receive(owner, { currency: quote, units: value, rate });
    }
    accounts.pay(owner, { currency: quote, units: value });
    if (owner !== ANONYMOUS) this.#releaseSaved(order, fill);
    return accounts.receive(owner, { currency: base, units: baseUnits, rate });
  }

  /** Gives back what a buy had frozen for a fill beyond its value. */
  #releaseSaved(order: number, { amount, value }: { amount: number; value: number }): void {
    const { orders } = this.book;
    const price = orders.price(order);
    const remaining = orders.remaining(order);
    const frozen = costOf(this.units, { price, amount: remaining + amount });
    const units = frozen - costOf(this.units, { price, amount: remaining }) - value;
    if (units > 0) this.#release(order, { currency: this.units.quote, units });
  }

  /** Gives frozen money back; for an order that repays it goes to what its wallet owes. */
  #release(order: number, sum: Sum): void {
    const { orders } = this.book;
    this.#options.accounts.release(orders.owner(order), sum);
    if (orders.repays(order)) this.#options.lender?.repay(orders.owner(order), sum);
  }

  #recordFill(order: number, fill: OrderFill): void {
    const { orders } = this.book;
    if (orders.owner(order) === ANONYMOUS) return;
    const { price, amount, fee } = fill;
    const time = this.#options.clock.now();
    orders.recordFill(order, { tradeId: this.tape.lastId + 1, price, amount, fee, time });
    if (orders.repays(order)) this.#repay(order, fill);
    const filled = orders.remaining(order) === 0;
    if (filled) orders.close(order);
    this.#changed.slot = order;
    this.#options.orderFilled?.(this.#changed, fill);
    this.#tell(order);
    if (filled) this.orders.close(order);
  }

  /** Repays what is owed out of what a trade brought in. */
  #repay(order: number, { fee, ...fill }: OrderFill): void {
    const { orders } = this.book;
    const { currency, units } = this.#proceeds(orders.isBuy(order), fill);
    this.#options.lender?.repay(orders.owner(order), { currency, units: units - fee });
  }

  #tell(order: number): void {
    this.#changed.slot = order;
    this.#options.orderChanged(this.#changed);
  }

  #publish({ takerSide, price, amount }: { takerSide: Side; price: number; amount: number }): void {
    const time = this.#options.clock.now();
    this.tape.record({ price, amount, takerSide, time });
    this.bars.record({ price, amount, time });
  }
}
