import type { Level, Market, OrderType, Side } from '../domain/index.ts';
import { toUnits } from '../kernel/index.ts';
import { SimulationError } from './errors.ts';
import type { Liquidity } from './liquidity.ts';
import type { MatchingEngine } from './matching-engine.ts';
import { ANONYMOUS, NO_ORDER } from './order-store.ts';

/** The liquidity inlet of one matching engine. */
export class AnonymousLiquidity implements Liquidity {
  readonly market: Market;
  readonly #engine: MatchingEngine;
  readonly #changed: () => void;
  /** Slots of `addOrder` by id; those that have left the book are freed now and then. */
  readonly #orders = new Map<string, number>();
  #nextId = 1;
  #sweepAt = 1_024;

  /** `changed` is called once after each call that may have changed something. */
  constructor(engine: MatchingEngine, changed: () => void) {
    this.market = engine.units.market;
    this.#engine = engine;
    this.#changed = changed;
  }

  setLevel(level: { side: Side; price: number; amount: number }): void {
    this.setLevels([level]);
  }

  setLevels(levels: readonly { side: Side; price: number; amount: number }[]): void {
    const units = levels.map(({ side, price, amount }) => {
      return { side, price: this.#price(price), amount: this.#amount(amount) };
    });
    for (const { side, ...level } of units) this.#setLevel(side, level);
    this.#changed();
  }

  replace(book: { bids: readonly Level[]; asks: readonly Level[] }): void {
    const bids = this.#levels(book.bids);
    const asks = this.#levels(book.asks);
    this.#removeOthers('buy', bids);
    this.#removeOthers('sell', asks);
    for (const [price, amount] of bids) this.#setLevel('buy', { price, amount });
    for (const [price, amount] of asks) this.#setLevel('sell', { price, amount });
    this.#changed();
  }

  print(trade: { takerSide: Side; price: number; amount: number }): void {
    const { takerSide } = trade;
    const price = this.#price(trade.price);
    this.#engine.print({ takerSide, price, amount: this.#positiveAmount(trade.amount) });
    this.#changed();
  }

  addOrder(terms: {
    side: Side;
    type: OrderType;
    price: number;
    amount: number;
  }): string | undefined {
    const { side, type } = terms;
    const price = this.#price(terms.price);
    const amount = this.#positiveAmount(terms.amount);
    const { book } = this.#engine;
    if (type === 'postOnly' && book.wouldTake(side, price)) return undefined;
    const order = book.orders.add({ owner: ANONYMOUS, side, price, amount });
    this.#engine.placeAnonymous(order, { rests: type !== 'ioc' });
    const id = this.#register(order);
    this.#changed();
    return id;
  }

  cancelOrder(id: string): boolean {
    const order = this.#orders.get(id);
    if (order === undefined) return false;
    const { book } = this.#engine;
    const rested = book.remove(order);
    this.#orders.delete(id);
    book.orders.free(order);
    if (rested) this.#changed();
    return rested;
  }

  #register(order: number): string | undefined {
    const { orders } = this.#engine.book;
    if (orders.level(order) === 0) {
      orders.free(order);
      return undefined;
    }
    const id = String(this.#nextId++);
    this.#orders.set(id, order);
    if (this.#orders.size >= this.#sweepAt) this.#sweep();
    return id;
  }

  #sweep(): void {
    const { orders } = this.#engine.book;
    for (const [id, order] of this.#orders) {
      if (orders.level(order) !== 0) continue;
      this.#orders.delete(id);
      orders.free(order);
    }
    this.#sweepAt = Math.max(1_024, 2 * this.#orders.size);
  }

  #setLevel(side: Side, { price, amount }: { price: number; amount: number }): void {
    const level = this.#engine.book.side(side).find(price);
    const present = level?.anonymousAmount ?? 0;
    if (amount < present) this.#engine.book.reduceAnonymous(level!, present - amount);
    else if (amount > present) this.#grow(side, { price, amount: amount - present });
  }

  #grow(side: Side, { price, amount }: { price: number; amount: number }): void {
    const { book } = this.#engine;
    const { orders } = book;
    const order = orders.add({ owner: ANONYMOUS, side, price, amount, pooled: true });
    this.#engine.crossAccounts(order);
    const remaining = orders.remaining(order);
    const last = book.side(side).find(price)?.last ?? NO_ORDER;
    if (remaining > 0 && (last === NO_ORDER || !orders.isPooled(last))) {
      book.rest(order);
      return;
    }
    if (remaining > 0) book.enlarge(last, remaining);
    orders.free(order);
  }

  #removeOthers(side: Side, named: ReadonlyMap<number, number>): void {
    const ladder = this.#engine.book.side(side);
    for (let depth = ladder.size - 1; depth >= 0; depth--) {
      const level = ladder.fromBest(depth)!;
      if (!named.has(level.price)) this.#engine.book.reduceAnonymous(level, level.anonymousAmount);
    }
  }

  #levels(levels: readonly Level[]): Map<number, number> {
    return new Map(levels.map(([price, amount]) => [this.#price(price), this.#amount(amount)]));
  }

  #price(price: number): number {
    if (price > 0) return toUnits(price, this.market.priceScale);
    throw new SimulationError(`Cannot use the price ${price}: a positive one is wanted`);
  }

  #amount(amount: number): number {
    if (amount >= 0) return toUnits(amount, this.market.amountScale);
    throw new SimulationError(`Cannot use the amount ${amount}: zero or more is wanted`);
  }

  #positiveAmount(amount: number): number {
    if (amount > 0) return this.#amount(amount);
    throw new SimulationError(`Cannot trade the amount ${amount}: a positive one is wanted`);
  }
}
