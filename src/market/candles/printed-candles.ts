import { type Observable, Subscription } from 'rxjs';
import { type Candle, INTERVAL_MS, type Interval } from '../../domain/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { type Bar, closedCandle, type Print } from './candle-builder.ts';
import { CandleCloser } from './candle-closer.ts';

/** A time in which nothing was recorded: from the last record before it to the first after it. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

export interface PrintedCandlesOptions {
  readonly clock: Clock;
  readonly market: string;
  readonly interval: Interval;
  /** Decimal places that volumes are rounded to. */
  readonly amountScale: number;
  /** How long to wait for late trades after the end of a candle, milliseconds. */
  readonly graceMs: number;
  /** Where trades are known to be missing, in order of time. */
  readonly outages: readonly Outage[];
  /** The trades before the clock's present; completes after the last of them. */
  readonly past: Observable<Print>;
  /** The trades from then on. */
  readonly trades: Observable<Print>;
  readonly publish: (candle: Candle) => void;
}

/**
 * Candles from recorded trades, closed and aligned as a live run builds them. There is no venue to
 * ask for what is missing: an outage delays candles here too, and a candle of an outage without any
 * trade is left out.
 */
export class PrintedCandles {
  readonly #options: PrintedCandlesOptions;
  readonly #closer: CandleCloser;
  readonly #subscription = new Subscription();
  /** The first outage that is not over. */
  #nextOutage = 0;

  constructor(options: PrintedCandlesOptions) {
    const { clock, interval, amountScale, graceMs } = options;
    this.#options = options;
    this.#closer = new CandleCloser({
      ...{ clock, interval, amountScale, graceMs, retryMs: INTERVAL_MS[interval] },
      readUntil: () => this.#readUntil(),
      onClosed: (bars) => this.#close(bars),
    });
  }

  start(): void {
    const { past } = this.#options;
    const told = past.subscribe({
      next: (print) => this.#closer.add(print),
      complete: () => this.#go(),
    });
    this.#subscription.add(told);
  }

  stop(): void {
    this.#subscription.unsubscribe();
    this.#closer.stop();
  }

  /** The past is complete: none of its trades comes late. */
  #go(): void {
    const { clock, trades } = this.#options;
    this.#closer.closeUntil(clock.now());
    this.#closer.watch();
    const heard = trades.subscribe((print) => {
      this.#closer.add(print);
      this.#closer.keepWatch();
    });
    this.#subscription.add(heard);
  }

  #readUntil(): number {
    const { clock, outages } = this.#options;
    const nowMs = clock.now();
    while (nowMs >= (outages[this.#nextOutage]?.to ?? Number.POSITIVE_INFINITY)) this.#nextOutage++;
    return Math.min(nowMs, outages[this.#nextOutage]?.from ?? nowMs);
  }

  #close(bars: readonly Bar[]): void {
    const { clock, market, interval, publish } = this.#options;
    for (const bar of bars) {
      if (bar.volume === 0 && this.#isInOutage(bar)) continue;
      publish(closedCandle(bar, { market, interval, receivedTime: clock.now() }));
    }
  }

  #isInOutage({ openTime }: Bar): boolean {
    const { interval, outages } = this.#options;
    const endTime = openTime + INTERVAL_MS[interval];
    return outages.some(({ from, to }) => from < endTime && to > openTime);
  }
}
