import type { Subscription } from 'rxjs';
import type { DataStream, TradingEvent } from '../domain/index.ts';
import type { Bus, Clock } from '../kernel/index.ts';

export interface StalenessOptions {
  readonly clock: Clock;
  readonly bus: Bus<TradingEvent>;
  readonly market: string;
  readonly stream: DataStream;
  /** Milliseconds without a sign of life after which the stream is stale. */
  readonly limitMs: number;
  /** Asked when the limit has passed: true counts as a sign of life. Default: false. */
  readonly alive?: () => boolean;
}

/**
 * Publishes `freshness` when a stream falls silent and when it speaks again.
 *
 * A stream counts as fresh when it first starts; what was stale when it stopped is stale until the
 * next sign of life. Such a sign costs one reading of the clock: the timer is not moved, it looks
 * for younger signs when it fires.
 */
export class Staleness {
  readonly #options: StalenessOptions;
  #signTime = 0;
  #fresh = true;
  #running = false;
  #timer: Subscription | undefined;

  constructor(options: StalenessOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    this.#signTime = this.#options.clock.now();
    this.#check();
  }

  stop(): void {
    this.#running = false;
    this.#timer?.unsubscribe();
  }

  /** The stream gave a sign of life. */
  sign(): void {
    this.#signTime = this.#options.clock.now();
    if (this.#fresh) return;
    this.#fresh = true;
    this.#publish(0);
  }

  #check(): void {
    const { clock, limitMs, alive } = this.#options;
    if (clock.now() - this.#signTime >= limitMs && alive?.() === true) this.sign();
    const ageMs = clock.now() - this.#signTime;
    const silent = ageMs >= limitMs;
    if (silent && this.#fresh) {
      this.#fresh = false;
      this.#publish(ageMs);
    }
    if (!this.#running) return;
    this.#timer = clock.schedule(
      () => this.#check(),
      silent ? limitMs : Math.min(limitMs, limitMs - ageMs),
    );
  }

  #publish(ageMs: number): void {
    const { clock, bus, market, stream } = this.#options;
    const time = clock.now();
    bus.publish({ kind: 'freshness', time, market, stream, fresh: this.#fresh, ageMs });
  }
}
