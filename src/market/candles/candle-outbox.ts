import { type Observable, tap } from 'rxjs';
import { type Candle, INTERVAL_MS, type Interval } from '../../domain/index.ts';
import type { Poller } from '../poller.ts';
import { publishGap, type SourceContext, sourcePoller } from '../source.ts';
import { type Bar, flatBar } from './candle-builder.ts';

/** Candles that one request may ask for. Source: contract, Limits. */
export const CANDLES_MAX = 1_000;
/** How often a candle is asked for before it is published as it was built. */
const ATTEMPTS_MAX = 3;

export interface CandleOutboxOptions {
  readonly market: string;
  readonly interval: Interval;
  /** Takes a closed candle, each later than the one before, or a revision of the last. */
  readonly publish: (bar: Bar) => void;
}

/**
 * Closed candles on their way out, in order.
 *
 * A candle of which only some trades were seen waits until the venue's own has been read in its
 * place, and all later ones wait behind it. If the venue does not give it, it leaves as it was
 * built, after a `gap`. Flat candles carry the close of the candle that left before them.
 */
export class CandleOutbox {
  readonly #context: SourceContext;
  readonly #options: CandleOutboxOptions;
  readonly #repairs: Poller<readonly Candle[]>;
  #waiting: { bar: Bar; partial: boolean; fromVenue: boolean }[] = [];
  #last: { bar: Bar; fromVenue: boolean } | undefined;
  #attempts = 0;

  constructor(context: SourceContext, options: CandleOutboxOptions) {
    this.#context = context;
    this.#options = options;
    this.#repairs = sourcePoller<readonly Candle[]>(context, {
      subject: `${options.interval} candles of ${options.market}`,
      intervalMs: context.config.candlesPollMs,
      queued: true,
      request: () => this.#request(),
      onAnswer: (candles) => {
        this.#settle(candles);
        return 'wait';
      },
    });
  }

  stop(): void {
    this.#repairs.stop();
    this.#waiting = [];
    this.#last = undefined;
    this.#attempts = 0;
  }

  /** Takes a closed candle, or a revision of one. `partial`: some of its trades were not seen. */
  add(bar: Bar, partial: boolean): void {
    const waiting = this.#waiting.find((entry) => entry.bar.openTime === bar.openTime);
    if (waiting !== undefined) {
      if (!waiting.fromVenue) Object.assign(waiting, { bar, partial: waiting.partial || partial });
      return;
    }
    const { bar: last, fromVenue = false } = this.#last ?? {};
    if (last !== undefined && bar.openTime < last.openTime) return;
    if (bar.openTime === last?.openTime && fromVenue) return;
    this.#waiting.push({ bar, partial, fromVenue: false });
    this.#flush();
  }

  #flush(): void {
    for (let head = this.#waiting[0]; head !== undefined; head = this.#waiting[0]) {
      if (head.partial) {
        this.#repairs.start();
        return;
      }
      this.#waiting.shift();
      this.#attempts = 0;
      const carried = this.#last?.bar.close;
      const flat = head.bar.volume === 0 && carried !== undefined;
      this.#leave(flat ? flatBar(head.bar.openTime, carried) : head.bar, head.fromVenue);
    }
    this.#repairs.stop();
  }

  #leave(bar: Bar, fromVenue: boolean): void {
    this.#last = { bar, fromVenue };
    this.#options.publish(bar);
  }

  #request(): Observable<readonly Candle[]> {
    const { candleRequests, clock, data } = this.#context;
    const { market, interval } = this.#options;
    const openTime = this.#waiting[0]!.bar.openTime;
    // Our date may be behind that of the candles.
    const newestTime = Math.max(clock.now(), this.#waiting.at(-1)!.bar.openTime);
    const spanned = Math.ceil((newestTime - openTime) / INTERVAL_MS[interval]) + 2;
    const size = Math.min(CANDLES_MAX, spanned);
    const answer = candleRequests.run(() =>
      data.candles({ market, interval, since: openTime - 1, size }),
    );
    this.#attempts++;
    return answer.pipe(tap({ error: () => this.#settle([]) }));
  }

  #settle(candles: readonly Candle[]): void {
    const newest = candles.at(-1)?.openTime ?? Number.NEGATIVE_INFINITY;
    for (const entry of this.#waiting) {
      const { openTime, volume } = entry.bar;
      const found = candles.find((candle) => candle.openTime === openTime);
      if (found?.closed) Object.assign(entry, { bar: found, partial: false, fromVenue: true });
      // The venue leaves out intervals without trades.
      else if (found === undefined && volume === 0 && openTime < newest) entry.partial = false;
    }
    const head = this.#waiting[0];
    if (head?.partial && this.#attempts >= ATTEMPTS_MAX) {
      head.partial = false;
      this.#publishGap(head.bar);
    }
    this.#flush();
  }

  #publishGap({ openTime }: Bar): void {
    const { market, interval } = this.#options;
    publishGap(this.#context, {
      market,
      stream: 'candle',
      after: String(openTime),
      before: String(openTime + INTERVAL_MS[interval]),
      reason: `the ${interval} candle is built from a part of its trades`,
    });
  }
}
