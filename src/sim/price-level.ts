import { ANONYMOUS, type Order } from './order.ts';

/** All orders resting at one price of one side, first come first served. */
export class PriceLevel {
  readonly price: number;
  /** The higher the better for the side: the price of a bid, the negated price of an ask. */
  readonly rank: number;
  /** Sum of what rests here, and the anonymous part of it. Whole units of amount. */
  amount = 0;
  anonymousAmount = 0;
  first: Order | undefined = undefined;
  last: Order | undefined = undefined;

  constructor(price: number, rank: number) {
    this.price = price;
    this.rank = rank;
  }

  get isEmpty(): boolean {
    return this.first === undefined;
  }

  append(order: Order): void {
    order.level = this;
    order.previous = this.last;
    order.next = undefined;
    if (this.last === undefined) this.first = order;
    else this.last.next = order;
    this.last = order;
    this.#count(order, order.remaining);
  }

  remove(order: Order): void {
    if (order.previous === undefined) this.first = order.next;
    else order.previous.next = order.next;
    if (order.next === undefined) this.last = order.previous;
    else order.next.previous = order.previous;
    this.#count(order, -order.remaining);
    order.level = undefined;
    order.previous = undefined;
    order.next = undefined;
  }

  /** Changes what remains of an order that rests here; it keeps its place. */
  resize(order: Order, remaining: number): void {
    this.#count(order, remaining - order.remaining);
    order.remaining = remaining;
  }

  #count(order: Order, change: number): void {
    this.amount += change;
    if (order.owner === ANONYMOUS) this.anonymousAmount += change;
  }
}
