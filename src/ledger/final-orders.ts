import type { FinalOrder } from '../domain/index.ts';

/** The newest orders whose story is over: enough to absorb late news, bounded in memory. */
export class FinalOrders {
  readonly #capacity: number;
  readonly #orders = new Map<string, FinalOrder>();

  /** `capacity`: how many are kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(clientOrderId: string): FinalOrder | undefined {
    return this.#orders.get(clientOrderId);
  }

  /** Forgets an order whose story goes on after all. */
  delete(clientOrderId: string): void {
    this.#orders.delete(clientOrderId);
  }

  /** Keeps the order, or its newer state, and answers with the one forgotten for it. */
  set(order: FinalOrder): FinalOrder | undefined {
    this.#orders.set(order.clientOrderId, order);
    if (this.#orders.size <= this.#capacity) return undefined;
    const [oldest] = this.#orders.values();
    this.#orders.delete(oldest!.clientOrderId);
    return oldest;
  }
}
