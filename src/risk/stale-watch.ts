import { SECOND_MS } from '../kernel/index.ts';
import type { RiskView } from './review.ts';

/** How often freshness is looked at while all of it is fresh. */
const LOOK_MS = SECOND_MS;

/**
 * Tells in which markets orders have rested on stale data for too long: nobody knows any more what
 * they would trade at, and a strategy that says nothing leaves them where they are.
 */
export class StaleWatch {
  readonly #view: RiskView;
  /** Since when the data are stale, of the markets where orders live. */
  #sinceMs: ReadonlyMap<string, number> = NO_MARKETS;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(view: RiskView) {
    this.#view = view;
  }

  /** The markets whose orders may not stay. To be asked at least every second. */
  overdue(): ReadonlySet<string> {
    const nowMs = this.#view.clock.now();
    if (this.#sinceMs.size === 0 && nowMs < this.#lookedMs + LOOK_MS) return NONE;
    this.#look(nowMs);
    if (this.#sinceMs.size === 0) return NONE;
    const overdue = [...this.#sinceMs].filter(([market, sinceMs]) => {
      const maxMs = this.#view.rules.of(market)?.limits.staleRestMaxMs ?? 0;
      return maxMs > 0 && nowMs - sinceMs >= maxMs;
    });
    return new Set(overdue.map(([market]) => market));
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
    this.#lookedMs = nowMs;
  }
}

const NONE: ReadonlySet<string> = new Set();
const NO_MARKETS: ReadonlyMap<string, number> = new Map();
