import type { LiveOrder } from '../domain/index.ts';
import { FewMap, passing } from '../kernel/index.ts';

/**
 * The live orders of one market, in order of creation.
 *
 * Lists are built on the first look after a change and reused: the hot path looks often.
 */
export class MarketOrders {
  readonly #orders = new FewMap<string, LiveOrder>();
  #unidentified = 0;
  #list: readonly LiveOrder[] | undefined;
  readonly #listOf = new FewMap<string, readonly LiveOrder[]>();

  /** Adds the order, or replaces its state and keeps its place. */
  set(order: LiveOrder): void {
    this.#uncount(order.clientOrderId);
    if (order.exchangeOrderId === undefined) this.#unidentified++;
    this.#orders.set(order.clientOrderId, order);
    this.#forgetLists();
  }

  delete(clientOrderId: string): void {
    this.#uncount(clientOrderId);
    if (this.#orders.delete(clientOrderId)) this.#forgetLists();
  }

  /** The list is not changed later. */
  all(): readonly LiveOrder[] {
    this.#list ??= this.#orders.values();
    return this.#list;
  }

  of(strategy: string): readonly LiveOrder[] {
    let list = this.#listOf.get(strategy);
    if (list === undefined) {
      list = passing(this.all(), (order) => order.strategy === strategy);
      this.#listOf.set(strategy, list);
    }
    return list;
  }

  /** Whether some order has no exchange id yet: a record may turn out to be of it. */
  get hasUnidentified(): boolean {
    return this.#unidentified > 0;
  }

  #uncount(clientOrderId: string): void {
    const former = this.#orders.get(clientOrderId);
    if (former !== undefined && former.exchangeOrderId === undefined) this.#unidentified--;
  }

  #forgetLists(): void {
    this.#list = undefined;
    if (this.#listOf.size > 0) this.#listOf.clear();
  }
}
