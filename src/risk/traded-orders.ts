import { SlidingWindow } from '../kernel/index.ts';
import type { RiskView } from './review.ts';

/**
 * Counts the orders that traded in the window that ends now; one with several fills counts once.
 */
export class TradedInWindow {
  readonly #windowMs: number;
  /** When each order traded last, milliseconds since the epoch, in the order of these times. */
  readonly #tradedMs = new Map<string, number>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Counts an order that trades. Returns the number of orders. */
  add(clientOrderId: string, nowMs: number): number {
    this.#tradedMs.delete(clientOrderId);
    this.#tradedMs.set(clientOrderId, nowMs);
    return this.count(nowMs);
  }

  count(nowMs: number): number {
    for (const [id, timeMs] of this.#tradedMs) {
      if (timeMs + this.#windowMs > nowMs) break;
      this.#tradedMs.delete(id);
    }
    return this.#tradedMs.size;
  }
}

/** The orders of one market that left, and those that traded, in the window that ends now. */
interface Counts {
  readonly left: SlidingWindow;
  readonly traded: TradedInWindow;
}

/** These counts for each market that limits the orders per traded order. */
export class TradedOrders {
  readonly #view: RiskView;
  readonly #markets = new Map<string, Counts>();

  constructor(view: RiskView) {
    this.#view = view;
    view.orders.fills.subscribe(({ market, clientOrderId }) => {
      this.of(market)?.traded.add(clientOrderId, view.clock.now());
    });
  }

  /** Undefined for a market without such a limit. */
  of(market: string): Counts | undefined {
    let counts = this.#markets.get(market);
    if (counts !== undefined) return counts;
    const limits = this.#view.rules.of(market)?.limits;
    if (limits?.orderToTradeMax === undefined) return undefined;
    const { orderToTradeWindowMs: windowMs } = limits;
    const left = new SlidingWindow(Number.POSITIVE_INFINITY, windowMs);
    counts = { left, traded: new TradedInWindow(windowMs) };
    this.#markets.set(market, counts);
    return counts;
  }
}
