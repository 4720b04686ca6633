import { type Clock, type Logger, MINUTE_MS } from '../../../../kernel/index.ts';

/** What comes again within this time is told at level debug only. */
const REPEAT_MS = MINUTE_MS;

/** How an attempt to connect ended. */
interface Ending {
  readonly reason: string;
  readonly waitMs: number;
  /** Whether it had been open. */
  readonly stood: boolean;
}

/** Tells of the loss of a push connection, of attempts to open it in vain, and of its return. */
export class PushNews {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #toldMs = new Map<string, number>();
  #hasStood = false;
  /** Whether its trouble was told, and its end was not. */
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

  /** It ended. `lasted`: it had stood for long, so that its loss is none of a row. */
  ended({ reason, waitMs, stood }: Ending, { lasted }: { readonly lasted: boolean }): void {
    if (lasted) this.#toldMs.clear();
    const again = this.#hasStood ? ' again' : '';
    const text = stood ? 'push connection lost' : `push connection cannot be opened${again}`;
    const nowMs = this.#clock.now();
    const isRepeat = nowMs < (this.#toldMs.get(text) ?? Number.NEGATIVE_INFINITY) + REPEAT_MS;
    if (!isRepeat) {
      this.#toldMs.set(text, nowMs);
      this.#isTroubled = true;
    }
    this.#logger[isRepeat ? 'debug' : 'warn']({ reason, waitMs }, text);
  }
}
