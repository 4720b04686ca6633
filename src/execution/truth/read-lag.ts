import { elapsedMs } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';

/** By how much the run's clock is ahead of elapsed time, and since when it was seen to be. */
interface Lead {
  readonly sinceMs: number;
  readonly aheadMs: number;
}

/**
 * As of when reads tell, by the run's clock. They lag by a span of elapsed time: where the date was
 * set forth within it, what happened just before seems long ago by that clock, and a read may not
 * show it yet all the same.
 */
export class ReadLag {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  /** The oldest first: how the clock stood a lag ago, and each time since that it was set forth. */
  readonly #leads: Lead[] = [];

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config'>) {
    this.#options = options;
    this.asOfMs();
  }

  /** A read that leaves now tells what was so then or later. To be called with every request. */
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
