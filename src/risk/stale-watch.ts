import { SECOND_MS } from '../kernel/index.ts';
import type { RiskView } from './review.ts';

/** How often freshness is checked while no event says that it may have ended. */
const LOOK_MS = SECOND_MS;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Tells in which markets orders have rested on stale data for too long: nobody knows any more at
 * what they would trade, and a silent strategy leaves them resting.
 */
export class StaleWatch {
  readonly #view: RiskView;
  /** By market with live orders, since when its data have been stale. */
  #sinceMs: ReadonlyMap<string, number> = NO_MARKETS;
  /** When freshness is checked next, if all data were fresh. */
  #lookMs = Number.NEGATIVE_INFINITY;

  constructor(view: RiskView) {
    this.#view = view;
    view.bus.listen('freshness', () => {
      this.#lookMs = Number.NEGATIVE_INFINITY;
    });
  }

  /** The markets whose orders must not stay. */
  overdue(): ReadonlySet<string> {
    const nowMs = this.#view.clock.now();
    if (this.#sinceMs.size === 0 && nowMs < this.#lookMs) return NONE;
    this.#look(nowMs);
    if (this.#sinceMs.size === 0) return NONE;
    const overdue = [...this.#sinceMs].filter(([market, sinceMs]) => {
      return nowMs - sinceMs >= this.#maxMs(market);
    });
    return new Set(overdue.map(([market]) => market));
  }

  /** When to ask again even if nothing happens, milliseconds since the epoch; infinite: never. */
  nextMs(): number {
    const { clock, orders, prices } = this.#view;
    const nowMs = clock.now();
    let nextMs = NEVER;
    for (const { market } of orders.allLive()) {
      const sinceMs = this.#sinceMs.get(market);
      // A book that is crossed or lacks a side is stale before it is old, and no event tells of
      // that.
      const atMs =
        sinceMs === undefined
          ? Math.min(prices.freshUntilMs(market), nowMs + this.#maxMs(market))
          : this.#lookAgainMs(sinceMs + this.#maxMs(market));
      if (atMs > nowMs && atMs < nextMs) nextMs = atMs;
    }
    this.#lookMs = Math.min(this.#lookMs, nextMs);
    return nextMs;
  }

  #look(nowMs: number): void {
    const { orders, prices } = this.#view;
    let sinceMs: Map<string, number> | undefined;
    for (const { market } of orders.allLive()) {
      if (prices.isFresh(market) || sinceMs?.has(market)) continue;
      sinceMs ??= new Map();
      sinceMs.set(market, this.#sinceMs.get(market) ?? nowMs);
    }
    this.#sinceMs = sinceMs ?? NO_MARKETS;
    this.#lookMs = nowMs + LOOK_MS;
  }

  /**
   * Data may become fresh and stale again without an event, which restarts their time: look every
   * second.
   */
  #lookAgainMs(overdueMs: number): number {
    return overdueMs === NEVER ? NEVER : Math.min(overdueMs, this.#view.clock.now() + LOOK_MS);
  }

  /** How long orders may rest on stale data, milliseconds; infinite: for ever. */
  #maxMs(market: string): number {
    return this.#view.rules.of(market)?.limits.staleRestMaxMs || NEVER;
  }
}

const NONE: ReadonlySet<string> = new Set();
const NO_MARKETS: ReadonlyMap<string, number> = new Map();
