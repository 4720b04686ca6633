import type { Side } from '../domain/index.ts';
import { CODES, type PlaceRequest } from '../exchange/index.ts';
import type { Clock } from '../kernel/index.ts';
import { AccountOrder } from './account-order.ts';
import type { Accounts } from './accounts.ts';
import { Bars } from './bars.ts';
import { Book, type Match } from './book.ts';
import type { FeeRate } from './fee-rate.ts';
import type { MarketUnits } from './market-units.ts';
import { ANONYMOUS, Order } from './order.ts';
import { OrderArchive } from './order-archive.ts';
import { checkedUnits, POST_ONLY_REJECTION, rejection } from './order-checks.ts';
import type { OrderIds } from './order-ids.ts';
import { Tape } from './tape.ts';

export interface MatchingEngineOptions {
  readonly clock: Clock;
  readonly units: MarketUnits;
  readonly accounts: Accounts;
  readonly fees: { readonly maker: FeeRate; readonly taker: FeeRate };
  readonly ids: OrderIds;
  /** Gives each order of the exchange its running number. */
  readonly nextOrdinal: () => number;
  /** Called with an order of an account after each change of it; must not touch the market. */
  readonly orderChanged: (order: AccountOrder) => void;
}

/** Fields of a request to place that the engine reads; the market is the engine's own. */
export type Placement = Omit<PlaceRequest, 'market' | 'borrow' | 'repay'>;

/**
 * One market at work: the book, what stands behind its orders, and the trades that come of it.
 *
 * Synchronous and complete in each call: orders freeze balances, matches settle at once to the last
 * digit, trades go to the tape and the bars.
 */
export class MatchingEngine {
  readonly units: MarketUnits;
  readonly book = new Book();
  readonly orders = new OrderArchive();
  readonly bars = new Bars();
  readonly tape: Tape;
  readonly #options: MatchingEngineOptions;
  readonly #settle = (match: Match): void => this.#settleMatch(match);
  readonly #settleAndPublish = (match: Match): void => {
    this.#settleMatch(match);
    const { maker, taker, amount } = match;
    this.#publish({ price: maker.price, amount, takerSide: taker.side });
  };

  /** The first trade id is the time: ids keep growing over a restart. */
  constructor(options: MatchingEngineOptions) {
    this.#options = options;
    this.units = options.units;
    this.tape = new Tape(Math.max(1, Math.floor(options.clock.now())));
  }

  /**
   * Takes an order of an account: freezes its cost, matches it and lets the rest of it rest.
   *
   * @throws {ExchangeFailure} `rejected`; nothing has happened then.
   */
  place(account: number, placement: Placement): AccountOrder {
    const order = this.#accept(account, placement);
    this.orders.add(order);
    this.#options.orderChanged(order);
    this.book.match(order, this.#settleAndPublish);
    if (order.remaining > 0) {
      if (order.type === 'ioc') this.#close(order);
      else this.book.rest(order);
    }
    return order;
  }

  /** Cancels an open order and gives back what it had frozen; false when it is closed. */
  cancel(order: AccountOrder): boolean {
    if (!this.book.remove(order)) return false;
    this.#close(order);
    return true;
  }

  /** Lets an order without an account trade as it is; what remains of it rests if told so. */
  placeAnonymous(order: Order, { rests }: { rests: boolean }): void {
    this.book.match(order, this.#settleAndPublish);
    if (rests && order.remaining > 0) this.book.rest(order);
  }

  /** Lets an order without an account fill the account orders within its limit, and only those. */
  crossAccounts(taker: Order): void {
    this.book.matchAccountsOnly(taker, this.#settleAndPublish);
  }

  /** A trade that really happened: takes what it meets and is published as it was. */
  print(trade: { takerSide: Side; price: number; amount: number }): void {
    const { takerSide: side, price, amount } = trade;
    this.book.match(new Order({ owner: ANONYMOUS, side, price, amount }), this.#settle);
    this.#publish(trade);
  }

  #accept(account: number, placement: Placement): AccountOrder {
    const { clock, accounts, ids } = this.#options;
    const { price, amount } = checkedUnits(placement, this.units);
    const { side, type, accountType = 0 } = placement;
    if (type === 'postOnly' && this.book.wouldTake(side, price)) {
      throw rejection(POST_ONLY_REJECTION.code, POST_ONLY_REJECTION.message);
    }
    const owner = accounts.rowOf(account, accountType);
    if (!accounts.freeze(owner, this.#cost(side, { price, amount }))) {
      throw rejection(CODES.balance, 'Cannot place an order: the account balance is not enough');
    }
    const ordinal = this.#options.nextOrdinal();
    const time = clock.now();
    return new AccountOrder({
      ordinal,
      ids,
      account,
      owner,
      side,
      type,
      price,
      amount,
      clientOrderId: placement.clientOrderId,
      time,
    });
  }

  /** What an order must have frozen: its value for a buy, its amount for a sell. */
  #cost(side: Side, { price, amount }: { price: number; amount: number }) {
    const { base, quote, baseFactor, quoteFactor } = this.units;
    return side === 'buy'
      ? { currency: quote, units: price * amount * quoteFactor }
      : { currency: base, units: amount * baseFactor };
  }

  #close(order: AccountOrder): void {
    order.closed = true;
    const { price, remaining: amount } = order;
    this.#options.accounts.release(order.owner, this.#cost(order.side, { price, amount }));
    this.#options.orderChanged(order);
  }

  #settleMatch({ maker, taker, amount }: Match): void {
    const { price } = maker;
    if (maker.owner !== ANONYMOUS || taker.owner !== ANONYMOUS) {
      const { maker: makerRate, taker: takerRate } = this.#options.fees;
      this.#settleSide(maker, { price, amount, rate: makerRate });
      this.#settleSide(taker, { price, amount, rate: takerRate });
    }
    if (maker instanceof AccountOrder) this.#recordFill(maker, price * amount);
    if (taker instanceof AccountOrder) this.#recordFill(taker, price * amount);
  }

  #settleSide(order: Order, fill: { price: number; amount: number; rate: FeeRate }): void {
    const { accounts } = this.#options;
    const { base, quote, baseFactor, quoteFactor } = this.units;
    const { price, amount, rate } = fill;
    const value = price * amount * quoteFactor;
    if (order.side === 'sell') {
      accounts.pay(order.owner, { currency: base, units: amount * baseFactor });
      accounts.receive(order.owner, { currency: quote, units: value, rate });
      return;
    }
    accounts.pay(order.owner, { currency: quote, units: value });
    accounts.receive(order.owner, { currency: base, units: amount * baseFactor, rate });
    if (order.owner === ANONYMOUS || price === order.price) return;
    const saved = (order.price - price) * amount * quoteFactor;
    accounts.release(order.owner, { currency: quote, units: saved });
  }

  #recordFill(order: AccountOrder, value: number): void {
    order.filledValue += value;
    if (order.remaining === 0) order.closed = true;
    this.#options.orderChanged(order);
  }

  #publish(trade: { price: number; amount: number; takerSide: Side }): void {
    const { price, amount, takerSide } = trade;
    const timed = { price, amount, takerSide, time: this.#options.clock.now() };
    this.tape.record(timed);
    this.bars.record(timed);
  }
}
