import type { TradingEvent } from '../domain/index.ts';
import { type Bus, getOrInsert } from '../kernel/index.ts';
import type { Freshness } from './context.ts';

/** Keeps the newest freshness event of each market's data streams. */
export class FreshnessBoard {
  readonly #markets = new Map<string, Map<string, Freshness>>();

  constructor(bus: Bus<TradingEvent>) {
    bus.on('freshness').subscribe((event) => this.#keep(event));
  }

  of(market: string): readonly Freshness[] {
    return [...(this.#markets.get(market)?.values() ?? [])];
  }

  #keep(event: Freshness): void {
    getOrInsert(this.#markets, event.market, () => new Map()).set(event.stream, event);
  }
}
