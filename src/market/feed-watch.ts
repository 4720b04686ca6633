import { type Observable, Subscription } from 'rxjs';
import type { Connection } from '../exchange/index.ts';
import { Alarm, type Clock, type Logger, messageOf } from '../kernel/index.ts';

/** Pause before a feed that ended against its contract is subscribed again, milliseconds. */
const RESUBSCRIBE_MS = 5_000;

export interface FeedWatchOptions<T> {
  readonly clock: Clock;
  readonly logger: Logger;
  /** What the feed carries, for the log. */
  readonly subject: string;
  readonly records: Observable<T>;
  /** The connection under the feed. */
  readonly connection: Observable<Connection>;
  /** Milliseconds without a record after which the feed counts as lost; 0: it may be silent. */
  readonly silenceMs: number;
  readonly onRecord: (record: T) => void;
  /** Called when a live feed is lost: its connection ended, or it fell silent. */
  readonly onLost: () => void;
}

/**
 * Listens to a feed and reports when it is no longer live: connection down, silence, or an end.
 *
 * It stays subscribed while the feed is lost; the first record makes it live again. A record costs
 * one reading of the clock.
 */
export class FeedWatch<T> {
  readonly #options: FeedWatchOptions<T>;
  #subscription = new Subscription();
  readonly #silence: Alarm;
  #connected = false;
  #live = false;

  constructor(options: FeedWatchOptions<T>) {
    this.#options = options;
    this.#silence = new Alarm(options.clock, () => this.#lose());
  }

  /** Whether records come: the last one is young and the connection stands. */
  get live(): boolean {
    return this.#live;
  }

  /** Whether the connection under the feed stands. */
  get connected(): boolean {
    return this.#connected;
  }

  start(): void {
    this.#subscription = new Subscription();
    this.#listen();
    this.#subscription.add(
      this.#options.connection.subscribe(({ connected }) => {
        this.#connected = connected;
        if (!connected) this.#lose();
      }),
    );
  }

  stop(): void {
    this.#live = false;
    this.#connected = false;
    this.#silence.cancel();
    this.#subscription.unsubscribe();
  }

  #listen(): void {
    const { records, subject } = this.#options;
    this.#subscription.add(
      records.subscribe({
        next: (record) => this.#take(record),
        error: (thrown) =>
          this.#ended(`Cannot follow the feed of ${subject}: ${messageOf(thrown)}`),
        complete: () => this.#ended(`Cannot follow the feed of ${subject}: it ended`),
      }),
    );
  }

  #take(record: T): void {
    const { clock, silenceMs, onRecord } = this.#options;
    this.#live = true;
    if (silenceMs > 0) this.#silence.set(clock.now() + silenceMs);
    onRecord(record);
  }

  #lose(): void {
    this.#silence.cancel();
    if (!this.#live) return;
    this.#live = false;
    this.#options.onLost();
  }

  /** Subscribes again, after a pause, to a feed that ended against its contract. */
  #ended(message: string): void {
    const { clock, logger } = this.#options;
    logger.warn({}, message);
    this.#lose();
    this.#subscription.add(clock.schedule(() => this.#listen(), RESUBSCRIBE_MS));
  }
}
