import type { FinalOrder } from '../domain/index.ts';
import { BoundedMap } from '../kernel/index.ts';

/** The newest orders whose story is over: enough to absorb late news, bounded in memory. */
export class FinalOrders {
  readonly #orders: BoundedMap<string, FinalOrder>;

  /** `capacity`: how many are kept. */
  constructor(capacity: number) {
    this.#orders = new BoundedMap(capacity);
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
    return this.#orders.set(order.clientOrderId, order);
  }
}
