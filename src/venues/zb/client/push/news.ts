import { type Clock, type Logger, ToldLately } from '../../../../kernel/index.ts';

/** How an attempt to connect ended. */
interface Ending {
  readonly reason: string;
  readonly waitMs: number;
  /** Whether it had been open. */
  readonly stood: boolean;
}

/** Logs the loss of a push connection, failed attempts to open it, and its return. */
export class PushNews {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #told = new ToldLately();
  #hasStood = false;
  /** Whether trouble was logged, but not yet its end. */
  #isTroubled = false;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  opened(): void {
    this.#hasStood = true;
    if (!this.#isTroubled) return;
    this.#isTroubled = false;
    this.#logger.info({}, 'push connection is open again');
  }

  /** It ended. `lasted`: it was open for long, so that this loss is not one of a series. */
  ended({ reason, waitMs, stood }: Ending, { lasted }: { readonly lasted: boolean }): void {
    if (lasted) this.#told.clear();
    const again = this.#hasStood ? ' again' : '';
    const text = stood ? 'push connection lost' : `push connection cannot be opened${again}`;
    const isRepeat = this.#told.isRepeat(text, this.#clock.now());
    if (!isRepeat) this.#isTroubled = true;
    this.#logger[isRepeat ? 'debug' : 'warn']({ reason, waitMs }, text);
  }
}
