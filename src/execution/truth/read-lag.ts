import { elapsedMs } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';

/** How far the run's clock is ahead of elapsed time, and since when. */
interface Lead {
  readonly sinceMs: number;
  readonly aheadMs: number;
}

/**
 * Tells as of when reads are true, by the run's clock. Reads lag by a span of elapsed time. If the
 * date was moved ahead within that span, a recent event seems long ago by that clock, and a read
 * may still not show it.
 */
export class ReadLag {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  /** Oldest first: the clock's lead a lag ago, and each larger lead since. */
  readonly #leads: Lead[] = [];

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config'>) {
    this.#options = options;
    this.asOfMs();
  }

  /**
   * The time as of which, or later, a read that leaves now is true. Must be called for every
   * request.
   */
  asOfMs(): number {
    const { clock, config } = this.#options;
    const leads = this.#leads;
    const nowMs = elapsedMs(clock);
    const aheadMs = clock.now() - nowMs;
    const newest = leads.at(-1);
    if (newest === undefined || aheadMs > newest.aheadMs) leads.push({ sinceMs: nowMs, aheadMs });
    const asOf = nowMs - config.readLagMs;
    while (leads.length > 1 && leads[1]!.sinceMs <= asOf) leads.shift();
    return asOf + leads[0]!.aheadMs;
  }
}
