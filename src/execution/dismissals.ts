import type { LiveOrder } from '../domain/index.ts';
import { MINUTE_MS } from '../kernel/index.ts';
import type { ExecutorOptions } from './ports.ts';

/** What comes again within this time is told at level debug only. */
const REPEAT_MS = MINUTE_MS;

/** Tells of orders that risk has cancelled though they are wished: once for each market and cause. */
export class Dismissals {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'gate' | 'logger'>;
  readonly #toldMs = new Map<string, number>();

  constructor(options: Pick<ExecutorOptions, 'clock' | 'gate' | 'logger'>) {
    this.#options = options;
  }

  /** These may not stay from now on. */
  tell(orders: readonly LiveOrder[]): void {
    const { gate } = this.#options;
    const groups = new Map<string, { count: number; market: string; reason: string }>();
    for (const order of orders) {
      // It goes already.
      if (order.status === 'cancelling') continue;
      const { market } = order;
      const { cause, reason } = gate.whyUnwelcome(order);
      const key = `${market} ${cause}`;
      const group = groups.get(key) ?? { count: 0, market, reason };
      group.count++;
      groups.set(key, group);
    }
    for (const [key, { count, market, reason }] of groups) {
      const what = count === 1 ? '1 order' : `${count} orders`;
      this.#log(key, { market, text: `cancelling ${what} of ${market}: ${reason}` });
    }
  }

  #log(key: string, { market, text }: { readonly market: string; readonly text: string }): void {
    const { clock, logger } = this.#options;
    const nowMs = clock.now();
    const isRepeat = nowMs < (this.#toldMs.get(key) ?? Number.NEGATIVE_INFINITY) + REPEAT_MS;
    if (!isRepeat) this.#toldMs.set(key, nowMs);
    logger[isRepeat ? 'debug' : 'warn']({ market }, text);
  }
}
