import { isSameOrder, type OrderRecord, type RejectedOrder } from '../domain/index.ts';
import { MINUTE_MS, SECOND_MS } from '../kernel/index.ts';

/** How many absent orders are remembered at most. */
const ABSENT_MAX = 256;
/**
 * How many exchange ids of other orders are remembered: more than ten minutes of orders at the
 * contract's limit.
 */
const OTHERS_MAX = 65_536;
/**
 * How far the exchange's clock may be behind ours: less than the time between orders of equal
 * terms.
 */
export const CLOCK_SKEW_MS = 5 * SECOND_MS;
/** How long a request may have been stuck on its way: the exchange refuses older timestamps. */
const STUCK_MAX_MS = 10 * MINUTE_MS;

/**
 * Orders that the exchange did not find. Their requests may be stuck and still arrive.
 *
 * Their exchange ids were never learnt, so they are recognised by terms and time.
 */
export class AbsentOrders {
  readonly #orders = new Map<string, RejectedOrder>();
  /** Ring buffer of the newest exchange ids of other orders. */
  readonly #others: string[] = [];
  readonly #othersMax: number;
  #othersCount = 0;

  /** `othersMax`: how many exchange ids of other orders are remembered. Default: 65,536. */
  constructor(othersMax = OTHERS_MAX) {
    this.#othersMax = othersMax;
  }

  add(order: RejectedOrder): void {
    this.#orders.set(order.clientOrderId, order);
    if (this.#orders.size <= ABSENT_MAX) return;
    const [oldest] = this.#orders.keys();
    this.#orders.delete(oldest!);
  }

  delete(clientOrderId: string): void {
    this.#orders.delete(clientOrderId);
  }

  /** Notes that this exchange id belonged to another order, forgotten since. */
  exclude(exchangeOrderId: string): void {
    this.#others[this.#othersCount++ % this.#othersMax] = exchangeOrderId;
  }

  /** Rarely called, unlike `exclude`: a linear search here saves hashing there. */
  isExcluded(exchangeOrderId: string): boolean {
    return this.#others.includes(exchangeOrderId);
  }

  /**
   * The newest absent order that the record may belong to. A record that ended unfilled matches
   * none: it would change nothing, and if it was another order's, ours could not be found once its
   * record comes.
   */
  match(record: OrderRecord): RejectedOrder | undefined {
    if (this.#orders.size === 0 || (record.closed && record.filledAmount === 0)) return undefined;
    if (this.isExcluded(record.exchangeOrderId)) return undefined;
    return [...this.#orders.values()]
      .filter((order) => isSameOrder(record, order))
      .filter(({ createdTime }) => {
        const ageMs = record.exchangeTime - createdTime;
        return ageMs >= -CLOCK_SKEW_MS && ageMs <= STUCK_MAX_MS;
      })
      .sort((a, b) => b.createdTime - a.createdTime)[0];
  }
}
