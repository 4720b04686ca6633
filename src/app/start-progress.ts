import type { Subscription } from 'rxjs';
import { type Clock, type Logger, SECOND_MS } from '../kernel/index.ts';

/** How long a step may take before the log tells of it, milliseconds. */
const SLOW_MS = 5 * SECOND_MS;

/** Logs each step of a start that takes long, once: else nobody knows what it waits for. */
export class StartProgress {
  readonly #clock: Clock;
  readonly #logger: Logger;
  #slow: Subscription | undefined;

  constructor({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The step before is over, and the next begins: `doing` says what. */
  step(doing: string): void {
    this.end();
    const told = `still ${doing}: the exchange takes its time`;
    this.#slow = this.#clock.schedule(() => this.#logger.info({}, told), SLOW_MS);
  }

  /** The start is over, well or not. */
  end(): void {
    this.#slow?.unsubscribe();
  }
}
