import { isSameOrder, type OrderRecord, type RejectedOrder } from '../domain/index.ts';
import { MINUTE_MS, SECOND_MS } from '../kernel/index.ts';

/** How many are remembered at most. */
const ABSENT_MAX = 256;
/** How many ids of other orders: more than ten minutes of orders at the contract's limit. */
const OTHERS_MAX = 65_536;
/** How far the exchange's clock may be behind ours: less than orders of the same terms are apart. */
export const CLOCK_SKEW_MS = 5 * SECOND_MS;
/** How long a request may have been stuck on its way: the exchange refuses stamps that are old. */
const STUCK_MAX_MS = 10 * MINUTE_MS;

/**
 * Orders that the exchange did not find: their request may have been stuck, and turn up yet.
 *
 * Their ids at the exchange were never learnt, so they are known by their terms and time.
 */
export class AbsentOrders {
  readonly #orders = new Map<string, RejectedOrder>();
  /** The newest ids of other orders, each at its place modulo their most. */
  readonly #others: string[] = [];
  readonly #othersMax: number;
  #othersCount = 0;

  /** `othersMax`: how many ids of other orders are known again. Default: 65,536. */
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

  /** Notes that what bears this id at the exchange was another order, forgotten since. */
  exclude(exchangeOrderId: string): void {
    this.#others[this.#othersCount++ % this.#othersMax] = exchangeOrderId;
  }

  /** Rare, other than `exclude`: a list is walked here so that nothing is hashed there. */
  isExcluded(exchangeOrderId: string): boolean {
    return this.#others.includes(exchangeOrderId);
  }

  /**
   * The newest of them that the record may be of. A record that ended unfilled finds none: it would
   * change nothing, and were it of another order, ours could not be found any more when it comes.
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
