import { ANONYMOUS, NO_ORDER, type OrderStore } from './order-store.ts';

/** All orders resting at one price of one side, first come first served. Orders are slots. */
export class PriceLevel {
  /** Names the level among those of its side: from 1. */
  readonly number: number;
  price = 0;
  /** The higher the better for the side: the price of a bid, the negated price of an ask. */
  rank = 0;
  /** Sum of what rests here, and the anonymous part of it. Whole units of amount. */
  amount = 0;
  anonymousAmount = 0;
  first = NO_ORDER;
  last = NO_ORDER;
  readonly #orders: OrderStore;

  constructor(orders: OrderStore, number: number) {
    this.#orders = orders;
    this.number = number;
  }

  get isEmpty(): boolean {
    return this.first === NO_ORDER;
  }

  append(order: number): void {
    const orders = this.#orders;
    orders.setLevel(order, this.number);
    orders.setPrevious(order, this.last);
    orders.setNext(order, NO_ORDER);
    if (this.last === NO_ORDER) this.first = order;
    else orders.setNext(this.last, order);
    this.last = order;
    this.#count(order, orders.remaining(order));
  }

  remove(order: number): void {
    const orders = this.#orders;
    const previous = orders.previous(order);
    const next = orders.next(order);
    if (previous === NO_ORDER) this.first = next;
    else orders.setNext(previous, next);
    if (next === NO_ORDER) this.last = previous;
    else orders.setPrevious(next, previous);
    orders.setLevel(order, 0);
    this.#count(order, -orders.remaining(order));
  }

  /** Changes what remains of an order that rests here; it keeps its place. */
  resize(order: number, remaining: number): void {
    this.#count(order, remaining - this.#orders.remaining(order));
    this.#orders.setRemaining(order, remaining);
  }

  #count(order: number, change: number): void {
    this.amount += change;
    if (this.#orders.owner(order) === ANONYMOUS) this.anonymousAmount += change;
  }
}
