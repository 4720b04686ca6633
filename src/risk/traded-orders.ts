import { SlidingWindow } from '../kernel/index.ts';
import type { RiskView } from './review.ts';

/** Counts of one market the orders that left and those that traded, in any window that ends now. */
class Counts {
  readonly #windowMs: number;
  readonly #left: SlidingWindow;
  /** When each order traded last, milliseconds since the epoch, in the order of these times. */
  readonly #tradedMs = new Map<string, number>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    this.#left = new SlidingWindow(Number.POSITIVE_INFINITY, windowMs);
  }

  leaves(nowMs: number): void {
    this.#left.add(nowMs);
  }

  trades(clientOrderId: string, nowMs: number): void {
    this.#tradedMs.delete(clientOrderId);
    this.#tradedMs.set(clientOrderId, nowMs);
    this.traded(nowMs);
  }

  left(nowMs: number): number {
    return this.#left.count(nowMs);
  }

  fallsToMs(count: number, nowMs: number): number {
    return this.#left.fallsToMs(count, nowMs);
  }

  traded(nowMs: number): number {
    for (const [id, timeMs] of this.#tradedMs) {
      if (timeMs + this.#windowMs > nowMs) break;
      this.#tradedMs.delete(id);
    }
    return this.#tradedMs.size;
  }
}

/** The same of each market whose limits say how many orders may leave for each that trades. */
export class TradedOrders {
  readonly #view: RiskView;
  readonly #markets = new Map<string, Counts>();

  constructor(view: RiskView) {
    this.#view = view;
    view.orders.fills.subscribe(({ market, clientOrderId }) => {
      this.#countsOf(market)?.trades(clientOrderId, view.clock.now());
    });
  }

  /** An order has left. */
  add(market: string, nowMs: number): void {
    this.#countsOf(market)?.leaves(nowMs);
  }

  /** How many have left in the window that ends now. */
  left(market: string, nowMs: number): number {
    return this.#countsOf(market)?.left(nowMs) ?? 0;
  }

  /** When no more than so many are left of them, if no more leave. */
  fallsToMs(market: string, { count, nowMs }: { count: number; nowMs: number }): number {
    return this.#countsOf(market)?.fallsToMs(count, nowMs) ?? nowMs;
  }

  /** How many have traded in it, whenever they left: an order that did so in parts is one. */
  traded(market: string, nowMs: number): number {
    return this.#countsOf(market)?.traded(nowMs) ?? 0;
  }

  #countsOf(market: string): Counts | undefined {
    let counts = this.#markets.get(market);
    if (counts !== undefined) return counts;
    const limits = this.#view.rules.of(market)?.limits;
    if (limits?.orderToTradeMax === undefined) return undefined;
    counts = new Counts(limits.orderToTradeWindowMs);
    this.#markets.set(market, counts);
    return counts;
  }
}
