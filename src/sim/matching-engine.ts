import type { Side } from '../domain/index.ts';
import { CODES, type PlaceRequest } from '../exchange/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { AccountOrder } from './account-order.ts';
import type { Accounts } from './accounts.ts';
import { type Bar, Bars } from './bars.ts';
import { Book } from './book.ts';
import type { Lender } from './margin/index.ts';
import type { MarketUnits } from './market-units.ts';
import { OrderArchive } from './order-archive.ts';
import { checkTerms } from './order-checks.ts';
import type { OrderIds } from './order-ids.ts';
import { type AccountTerms, ANONYMOUS, NO_ORDER } from './order-store.ts';
import { POST_ONLY_REJECTION, rejection } from './refusals.ts';
import { type EngineFees, type OrderFill, Settlement } from './settlement.ts';
import { Tape, type TapeTrade } from './tape.ts';

export interface MatchingEngineOptions {
  readonly clock: Clock;
  readonly units: MarketUnits;
  readonly accounts: Accounts;
  readonly fees: EngineFees;
  readonly ids: OrderIds;
  /** Whether trades are kept as bars. Default: true. */
  readonly keepsBars?: boolean | undefined;
  /** Gives each order of the exchange its running number. */
  readonly nextOrdinal: () => number;
  /**
   * Called with an order of an account after each change of it; must not touch the market. The view
   * is the same object each time and soon shows another order: read it, do not keep it.
   */
  readonly orderChanged: (order: AccountOrder) => void;
  /**
   * Called with each fill of an order of an account, right before `orderChanged` and under the same
   * rules. The fill is the same object each time, too.
   */
  readonly orderFilled?: ((order: AccountOrder, fill: OrderFill) => void) | undefined;
  /** Lends to orders that borrow. Default: nobody does, such orders need their own money. */
  readonly lender?: Lender | undefined;
}

const NOT_ENOUGH = 'Cannot place an order: the account balance is not enough';

const NOT_WORTH_ITS_FEE =
  'Cannot place an order: it is worth less than its fee, a sell that pays for its own is wanted';

/** Fields of a request to place that the engine reads; the market is the engine's own. */
export type Placement = Omit<PlaceRequest, 'market'>;

/**
 * One market at work: its book, the money behind its orders, and the trades that result.
 *
 * Synchronous and complete in each call: orders freeze balances, matches settle at once to the last
 * digit, trades go to the tape and the bars.
 *
 * No settlement is ever half done: before anything moves, the engine checks that the wallets have
 * room for what a trade brings in. An order whose wallet has none is cancelled at that point, be it
 * the taker or the maker; after a maker, matching goes on with the next one.
 */
export class MatchingEngine {
  readonly units: MarketUnits;
  readonly book = new Book();
  readonly orders: OrderArchive;
  readonly bars = new Bars();
  readonly tape: Tape;
  #armsLengthPrice = 0;
  /** What accounts have gained of the base currency in this market, in its whole units. */
  #gained = 0;
  readonly #options: MatchingEngineOptions;
  readonly #settlement: Settlement;
  // Made once: new objects for each order and trade would push resting orders out of the CPU
  // caches.
  readonly #changed: AccountOrder;
  readonly #terms = emptyTerms();
  readonly #trade = { price: 0, amount: 0, takerSide: 'buy' as Side, time: 0 };

  /** The first trade id is the time: ids keep growing over a restart. */
  constructor(options: MatchingEngineOptions) {
    this.#options = options;
    this.units = options.units;
    const { orders } = this.book;
    this.orders = new OrderArchive({ orders, ids: options.ids });
    this.#settlement = new Settlement({ ...options, orders });
    this.#changed = this.orders.view(NO_ORDER);
    this.tape = new Tape(Math.max(1, Math.floor(options.clock.now())));
  }

  /** Price of the newest trade that was not one of an account with itself, 0 while there is none. */
  get armsLengthPrice(): number {
    return this.#armsLengthPrice;
  }

  /**
   * What all accounts together have gained of the base currency by trading here, in whole units of
   * amount: below 0 they are short.
   */
  get position(): number {
    return Math.trunc(this.#gained / this.units.baseFactor);
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

  /** Matches an order without an account; what remains of it rests if `rests` says so. */
  placeAnonymous(order: number, { rests }: { rests: boolean }): void {
    this.#take(order);
    if (rests && this.book.orders.remaining(order) > 0) this.book.rest(order);
  }

  /** Lets an order without an account fill the account orders within its limit, and only those. */
  crossAccounts(taker: number): void {
    for (;;) {
      const maker = this.book.accountMakerFor(taker);
      if (maker === NO_ORDER) return;
      this.#settlement.weigh(maker, taker);
      this.#tradeOrCancel(maker, taker);
    }
  }

  /**
   * A trade that really happened: takes what it would have met and is published as it was. `paid`:
   * the price that makers get. Default: each its own price.
   */
  print(
    { takerSide: side, price, amount }: Omit<TapeTrade, 'id' | 'time'>,
    { paid }: { readonly paid?: number | undefined } = {},
  ): void {
    const { orders } = this.book;
    const taker = orders.add({ owner: ANONYMOUS, side, price, amount });
    for (;;) {
      const maker = this.book.printMakerFor(taker);
      if (maker === NO_ORDER) break;
      this.#settlement.weigh(maker, taker);
      if (paid !== undefined) this.#settlement.reprice(paid);
      if (this.#settlement.admits(maker)) this.#settle(maker, taker);
      else this.cancel(maker);
    }
    orders.free(taker);
    this.#armsLengthPrice = price;
    this.#publish(side, { price, amount });
  }

  /**
   * Trades an order against what rests opposite within its limit. It does not rest afterwards. False
   * when it had to stop because its wallet has no room for more.
   */
  #take(taker: number): boolean {
    for (;;) {
      const maker = this.book.makerFor(taker);
      if (maker === NO_ORDER) return true;
      this.#settlement.weigh(maker, taker);
      if (!this.#settlement.admits(taker)) return false;
      this.#tradeOrCancel(maker, taker);
    }
  }

  /** Makes the weighed trade happen; cancels the maker instead if its wallet has no room for it. */
  #tradeOrCancel(maker: number, taker: number): void {
    if (!this.#settlement.admits(maker)) {
      this.cancel(maker);
      return;
    }
    const takerSide = this.book.orders.isBuy(taker) ? 'buy' : 'sell';
    this.#settle(maker, taker);
    this.#publish(takerSide, this.#settlement.fill);
  }

  #accept(account: number, placement: Placement): number {
    checkTerms(placement, this.units);
    const { orders } = this.book;
    const terms = this.#termsOf(account, placement);
    if (terms.type === 'postOnly' && this.book.wouldTake(terms.side, terms.price)) {
      throw rejection(POST_ONLY_REJECTION.code, POST_ONLY_REJECTION.message);
    }
    const order = orders.addOfAccount(terms);
    const refusal = this.#fund(order, placement);
    if (refusal !== undefined) {
      orders.free(order);
      throw refusal;
    }
    orders.setOrdinal(order, this.#options.nextOrdinal());
    return order;
  }

  #termsOf(account: number, placement: Placement): AccountTerms {
    const terms = this.#terms;
    const { accountType = 0, repay = false } = placement;
    terms.account = account;
    terms.accountType = accountType;
    terms.owner = this.#options.accounts.rowOf(account, accountType);
    terms.side = placement.side;
    terms.type = placement.type;
    terms.price = Math.round(placement.price * this.units.priceFactor);
    terms.amount = Math.round(placement.amount * this.units.amountFactor);
    terms.clientOrderId = placement.clientOrderId;
    terms.repays = repay && accountType !== 0;
    terms.time = this.#options.clock.now();
    return terms;
  }

  /** Freezes what an order needs: undefined, or why that cannot be. */
  #fund(order: number, { borrow = false, accountType = 0 }: Placement): Error | undefined {
    const settlement = this.#settlement;
    settlement.weigh(order, order);
    if (!settlement.admits(order)) return this.#noRoom(order);
    if (!settlement.isWorthItsFee(order)) {
      return rejection(CODES.invalidAmount, NOT_WORTH_ITS_FEE);
    }
    if (settlement.freeze(order)) return undefined;
    if (borrow && accountType !== 0 && settlement.freezeBorrowed(order)) return undefined;
    return rejection(CODES.balance, NOT_ENOUGH);
  }

  #noRoom(order: number): Error {
    const { base, quote } = this.units.market;
    const { currencies } = this.#options.accounts;
    const received = this.book.orders.isBuy(order) ? base : quote;
    const most = currencies.money(received, Number.MAX_SAFE_INTEGER);
    const what =
      'Cannot place an order: what it brings in is more than its wallet can hold, at most ' +
      `${most} ${received} in all are wanted`;
    return rejection(CODES.invalidAmount, what);
  }

  #close(order: number): void {
    this.book.orders.close(order);
    this.#settlement.release(order);
    this.#tell(order);
    this.orders.close(order);
  }

  /** Makes the weighed trade happen: settles both orders and reports their fills. */
  #settle(maker: number, taker: number): void {
    const { orders } = this.book;
    const { fees, clock } = this.#options;
    const settlement = this.#settlement;
    const { fill } = settlement;
    this.book.trade(maker, taker);
    if (!this.#isSelfTrade(maker, taker)) this.#armsLengthPrice = fill.price;
    if (orders.owner(maker) === ANONYMOUS && orders.owner(taker) === ANONYMOUS) return;
    fill.tradeId = this.tape.lastId + 1;
    fill.time = clock.now();
    const makerFee = settlement.settle(maker, fees.maker);
    const takerFee = settlement.settle(taker, fees.taker);
    this.#gained += this.#gainOf(maker, makerFee) + this.#gainOf(taker, takerFee);
    fill.fee = makerFee;
    fill.took = false;
    this.#recordFill(maker, fill);
    fill.fee = takerFee;
    fill.took = true;
    this.#recordFill(taker, fill);
  }

  /** What an order has gained of the base currency by the trade that was settled. */
  #gainOf(order: number, fee: number): number {
    const { orders } = this.book;
    if (orders.owner(order) === ANONYMOUS) return 0;
    const { base, baseFactor, buyFee, sellFee } = this.units;
    const isBuy = orders.isBuy(order);
    const traded = this.#settlement.fill.amount * baseFactor;
    const taken = (isBuy ? buyFee : sellFee) === base ? fee : 0;
    return (isBuy ? traded : -traded) - taken;
  }

  #isSelfTrade(maker: number, taker: number): boolean {
    const { orders } = this.book;
    if (orders.owner(maker) === ANONYMOUS || orders.owner(taker) === ANONYMOUS) return false;
    return orders.account(maker) === orders.account(taker);
  }

  #recordFill(order: number, fill: OrderFill): void {
    const { orders } = this.book;
    if (orders.owner(order) === ANONYMOUS) return;
    orders.recordFill(order, fill);
    this.#settlement.repay(order);
    const filled = orders.remaining(order) === 0;
    if (filled) orders.close(order);
    this.#changed.show(order);
    this.#options.orderFilled?.(this.#changed, fill);
    this.#tell(order);
    if (filled) this.orders.close(order);
  }

  #tell(order: number): void {
    this.#changed.show(order);
    this.#options.orderChanged(this.#changed);
  }

  #publish(takerSide: Side, { price, amount }: { price: number; amount: number }): void {
    const trade = this.#trade;
    trade.takerSide = takerSide;
    trade.price = price;
    trade.amount = amount;
    trade.time = this.#options.clock.now();
    this.tape.record(trade);
    if (this.#options.keepsBars !== false) this.bars.record(trade);
  }
}

/** Blank terms, to be filled in. */
function emptyTerms(): { -readonly [Name in keyof AccountTerms]: AccountTerms[Name] } {
  const nobody = { account: 0, accountType: 0, owner: ANONYMOUS, repays: false } as const;
  const nothing = { side: 'buy', type: 'limit', price: 0, amount: 0, time: 0 } as const;
  return { ...nobody, ...nothing, clientOrderId: undefined };
}
