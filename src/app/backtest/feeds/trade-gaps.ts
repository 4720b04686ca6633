import type { DataStream, TradingEvent } from '../../../domain/index.ts';
import type { Gap } from '../../../history/index.ts';
import type { Bus, Clock } from '../../../kernel/index.ts';
import type { RecordedPrices } from './prices.ts';

export interface TradeGapsOptions {
  readonly market: string;
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly prices: RecordedPrices;
  /** Where trades are known to be missing, in order of time. */
  readonly gaps: readonly Gap[];
}

/** Best prices are made up from trades, so a gap in trades makes both streams stale. */
const STREAMS: readonly DataStream[] = ['trade', 'depth'];

/**
 * Tells of the gaps in recorded trades: stale from the last row before a gap, fresh from the first
 * row after it.
 */
export class TradeGaps {
  readonly #options: TradeGapsOptions;
  #next = 0;
  /** Whether the last row heard was the last before a gap. */
  #isInside = false;
  /** When the next gap begins, milliseconds since the epoch; infinite where none follows. */
  #nextMs: number;

  constructor(options: TradeGapsOptions) {
    this.#options = options;
    this.#nextMs = options.gaps[0]?.from ?? Number.POSITIVE_INFINITY;
  }

  /** A row of that time is about to be heard: gaps that end by then are over. */
  before(timeMs: number): void {
    if (timeMs < this.#nextMs) return;
    const { gaps, clock, bus, market } = this.#options;
    for (let gap = gaps[this.#next]; gap !== undefined && timeMs >= gap.to; ) {
      if (this.#isInside) {
        bus.publish({
          ...{ kind: 'gap', time: clock.now(), market, stream: 'trade' },
          ...{ after: String(gap.from), before: String(timeMs), reason: gap.reason },
        });
        this.#tell({ fresh: true, ageMs: 0 });
      }
      gap = gaps[++this.#next];
    }
    this.#nextMs = gaps[this.#next]?.from ?? Number.POSITIVE_INFINITY;
  }

  /** A row of that time was heard: a gap may begin after it. */
  behind(timeMs: number): void {
    if (timeMs < this.#nextMs || this.#isInside) return;
    this.#tell({ fresh: false, ageMs: this.#options.clock.now() - timeMs });
  }

  #tell(told: { readonly fresh: boolean; readonly ageMs: number }): void {
    const { market, clock, prices } = this.#options;
    this.#isInside = !told.fresh;
    for (const stream of STREAMS) {
      prices.tell({ kind: 'freshness', time: clock.now(), market, stream, ...told }, 'gap');
    }
  }
}
