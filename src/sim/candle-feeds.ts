import { defer, type Observable, Subject, type Subscription, startWith } from 'rxjs';
import { type Candle, INTERVAL_MS, type Interval, type Stamped } from '../domain/index.ts';
import { type Clock, getOrInsert } from '../kernel/index.ts';
import type { MarketRecords } from './market-records.ts';

/** The pushes of one interval: when its newest pushed candle opened, and whether it was closed. */
interface Feed {
  readonly subject: Subject<Candle>;
  openTime: number;
  closed: boolean;
}

/**
 * Pushes candles of one market: the running one after each trade, and each one once more when it
 * closes, which is at the end of its time, not only with the next trade.
 */
export class CandleFeeds {
  readonly #clock: Clock;
  readonly #records: MarketRecords;
  readonly #stamp: () => Stamped;
  readonly #feeds = new Map<Interval, Feed>();
  #timer: Subscription | undefined;
  #timerDueMs = 0;

  /** `stamp`: the stamp of what is pushed now. */
  constructor(parts: { clock: Clock; records: MarketRecords; stamp: () => Stamped }) {
    this.#clock = parts.clock;
    this.#records = parts.records;
    this.#stamp = parts.stamp;
  }

  /** The candles of one interval from now on, beginning with the newest one there is. */
  of(interval: Interval): Observable<Candle> {
    return defer(() => {
      const feed = this.#feed(interval);
      const newest = this.#candles(interval, 0).at(-1);
      if (newest !== undefined && !feed.subject.observed) {
        feed.openTime = newest.openTime;
        feed.closed = newest.closed;
        this.#awaitClose(newest);
      }
      return newest === undefined ? feed.subject : feed.subject.pipe(startWith(newest));
    });
  }

  /** Pushes what changed; `closedOnly` when nothing was traded and only time has passed. */
  publish({ closedOnly }: { closedOnly: boolean }): void {
    for (const [interval, feed] of this.#feeds) {
      if (!feed.subject.observed) continue;
      for (const candle of this.#candles(interval, feed.openTime)) {
        if (candle.openTime === feed.openTime && feed.closed) continue;
        if (!candle.closed) this.#awaitClose(candle);
        if (!candle.closed && closedOnly) continue;
        feed.openTime = candle.openTime;
        feed.closed = candle.closed;
        feed.subject.next(candle);
      }
    }
  }

  #feed(interval: Interval): Feed {
    const begun = () => ({ subject: new Subject<Candle>(), openTime: 0, closed: false });
    return getOrInsert(this.#feeds, interval, begun);
  }

  #candles(interval: Interval, fromMs: number): Candle[] {
    return this.#records.candlesFrom({ interval, fromMs }, this.#stamp());
  }

  /** One timer for all intervals, due when the first of the running candles ends. */
  #awaitClose({ openTime, interval, closed }: Candle): void {
    if (closed) return;
    const dueMs = openTime + INTERVAL_MS[interval];
    if (this.#timer !== undefined && this.#timerDueMs <= dueMs) return;
    this.#timer?.unsubscribe();
    this.#timerDueMs = dueMs;
    this.#timer = this.#clock.schedule(() => {
      this.#timer = undefined;
      this.publish({ closedOnly: true });
    }, dueMs - this.#clock.now());
  }
}
