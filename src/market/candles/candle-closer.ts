import type { Subscription } from 'rxjs';
import { INTERVAL_MS, type Interval } from '../../domain/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { type Bar, CandleBuilder, type Print } from './candle-builder.ts';

export interface CandleCloserOptions {
  /** The time by which intervals end. */
  readonly clock: Clock;
  readonly interval: Interval;
  /** Decimal places that volumes are rounded to. */
  readonly amountScale: number;
  /** How long to wait for late trades after the end of a candle, milliseconds. */
  readonly graceMs: number;
  /** When to try again if trades have not been read to the end of a candle, milliseconds. */
  readonly retryMs: number;
  /** The time until which all trades have been given, by that clock. */
  readonly readUntil: () => number;
  /** Takes the candles that closed, and those that a late trade revised, oldest first. */
  readonly onClosed: (bars: readonly Bar[]) => void;
}

/**
 * Builds candles from trades, and closes each with the first trade after it, or `graceMs` after its
 * end provided that the trades have been read that far.
 */
export class CandleCloser {
  readonly #options: CandleCloserOptions;
  readonly #builder: CandleBuilder;
  #timer: Subscription | undefined;
  #isStopped = false;

  constructor(options: CandleCloserOptions) {
    this.#options = options;
    this.#builder = new CandleBuilder(options);
  }

  /** Begins after a candle of the venue. */
  begin(last: Bar): void {
    this.#builder.begin(last);
  }

  /** Takes a trade, and closes the candles before it. */
  add(print: Print): void {
    this.#options.onClosed(this.#builder.add(print));
  }

  /** Closes the candles that have ended by `time`. */
  closeUntil(time: number): void {
    this.#options.onClosed(this.#builder.closeUntil(time));
  }

  /** Closes the running candle when its time is over, and comes back for the next. */
  watch(): void {
    const { clock, interval, graceMs, retryMs, readUntil } = this.#options;
    this.closeUntil(Math.min(clock.now() - graceMs, readUntil()));
    this.#timer?.unsubscribe();
    const { running } = this.#builder;
    if (running === undefined || this.#isStopped) return;
    const lengthMs = INTERVAL_MS[interval];
    // A date that is set back for a moment must not stretch the wait.
    const leastMs = running.openTime - clock.now();
    const waitMs = Math.min(0, leastMs) + lengthMs + graceMs;
    this.#timer = clock.schedule(() => this.watch(), waitMs > 0 ? waitMs : retryMs);
  }

  /** Watches, unless it does already. */
  keepWatch(): void {
    if (this.#timer === undefined) this.watch();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.unsubscribe();
  }
}
