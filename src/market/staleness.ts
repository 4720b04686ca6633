import type { DataStream, TradingEvent } from '../domain/index.ts';
import { Alarm, type Bus, type Clock } from '../kernel/index.ts';

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
 * A stream counts as fresh when it first starts; one that was stale when it stopped stays stale
 * until the next sign of life. Such a sign costs one reading of the clock.
 */
export class Staleness {
  readonly #options: StalenessOptions;
  readonly #alarm: Alarm;
  #signTime = 0;
  #fresh = true;
  #running = false;

  constructor(options: StalenessOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.#fallSilent());
  }

  start(): void {
    this.#running = true;
    this.#wait();
  }

  stop(): void {
    this.#running = false;
    this.#alarm.cancel();
  }

  /** The stream gave a sign of life. */
  sign(): void {
    this.#wait();
    if (this.#fresh) return;
    this.#fresh = true;
    this.#publish(0);
  }

  #wait(): void {
    const { clock, limitMs } = this.#options;
    this.#signTime = clock.now();
    if (this.#running) this.#alarm.set(this.#signTime + limitMs);
  }

  #fallSilent(): void {
    const { clock, limitMs, alive } = this.#options;
    if (alive?.() === true) {
      this.sign();
      return;
    }
    this.#alarm.set(clock.now() + limitMs);
    if (!this.#fresh) return;
    this.#fresh = false;
    this.#publish(clock.now() - this.#signTime);
  }

  #publish(ageMs: number): void {
    const { clock, bus, market, stream } = this.#options;
    const time = clock.now();
    bus.publish({ kind: 'freshness', time, market, stream, fresh: this.#fresh, ageMs });
  }
}
