import type { Observable } from 'rxjs';
import type { DataStream, Stamped } from '../domain/index.ts';
import { MINUTE_MS } from '../kernel/index.ts';
import { FeedWatch } from './feed-watch.ts';
import { LeapWatch } from './leap-watch.ts';
import type { Poller } from './poller.ts';
import { publishGap, type Source, type SourceContext, sourcePoller } from './source.ts';
import { Staleness } from './staleness.ts';
import { StampWatch } from './stamp-watch.ts';

export interface SnapshotSourceOptions<T extends Stamped> {
  readonly market: string;
  readonly stream: DataStream;
  readonly request: () => Observable<T>;
  readonly intervalMs: number;
  /** Undefined: poll only. */
  readonly feed: Observable<T> | undefined;
  readonly staleAfterMs: number;
  /** Greatest age by the exchange's stamp of a record that is news. Default: any. */
  readonly exchangeAgeMaxMs?: number;
  readonly publish: (record: T) => void;
  /** Whether a record is a sign of life. Default: each is. */
  readonly isSign?: (record: T) => boolean;
  /** Whether two records of the same exchange time say the same. */
  readonly same: (a: T, b: T) => boolean;
}

/**
 * Records that each replace the one before: tickers and depths.
 *
 * They come from the feed while it is live, else from the poller, in order from each. When one
 * takes over from the other, a record that is older than the last one, or repeats it, is dropped;
 * but after a while of silence a repetition is news: nothing has changed. A record that the
 * exchange stamped too long ago is never news, so that a frozen book turns stale; if the feed
 * repeats it, polling goes on. A record stamped far ahead of our date is left out and published as
 * a gap.
 */
export class SnapshotSource<T extends Stamped> implements Source {
  readonly #options: SnapshotSourceOptions<T>;
  readonly #poller: Poller<T>;
  readonly #feed: FeedWatch<T> | undefined;
  readonly #staleness: Staleness;
  readonly #leaps: LeapWatch<T>;
  #stamps: StampWatch;
  #last: T | undefined;
  #lastWay: 'feed' | 'request' | undefined;

  constructor(context: SourceContext, options: SnapshotSourceOptions<T>) {
    const { clock, bus, config, connection, logger } = context;
    const { market, stream, request, intervalMs, feed, staleAfterMs } = options;
    const { exchangeAgeMaxMs: ageMaxMs = Number.POSITIVE_INFINITY } = options;
    const subject = `${stream} of ${market}`;
    this.#options = options;
    const newStamps = () => new StampWatch({ clock, ageMaxMs });
    this.#stamps = newStamps();
    this.#leaps = new LeapWatch<T>({
      ...{ clock, aheadMaxMs: config.exchangeAgeMaxMs },
      timeOf: ({ exchangeTime }) => exchangeTime,
      // Named by the minute: each has another stamp, and would be a gap of its own.
      nameOf: ({ exchangeTime }) => String(exchangeTime - (exchangeTime % MINUTE_MS)),
      onLeap: (leap) => publishGap(context, { market, stream, ...leap }),
      onReturn: () => {
        this.#stamps = newStamps();
        this.#last = undefined;
      },
    });
    this.#staleness = new Staleness({ clock, bus, market, stream, limitMs: staleAfterMs });
    this.#poller = sourcePoller<T>(context, {
      subject,
      request,
      intervalMs,
      onAnswer: (record) => {
        this.#take(record, 'request');
        return 'wait';
      },
    });
    this.#feed =
      feed &&
      new FeedWatch<T>({
        clock,
        logger,
        subject,
        records: feed,
        connection: connection.feed,
        // A quiet market pushes nothing: it is polled before its silence makes it stale.
        silenceMs: Math.min(config.feedSilenceMs, this.#quietMs()),
        onRecord: (record) => {
          if (!this.#take(record, 'feed')) this.#poller.start();
          else if (this.#poller.running) this.#poller.stop();
        },
        onLost: () => this.#poller.start(),
      });
  }

  start(): void {
    this.#staleness.start();
    this.#feed?.start();
    if (this.#feed?.live !== true) this.#poller.start();
  }

  stop(): void {
    this.#feed?.stop();
    this.#poller.stop();
    this.#staleness.stop();
  }

  /** The age at which a record needs confirmation, early enough that it is not stale before. */
  #quietMs(): number {
    return this.#options.staleAfterMs / 2;
  }

  /** False if the record is frozen, or stamped far ahead. */
  #take(record: T, way: 'feed' | 'request'): boolean {
    if (this.#leaps.sift([record]).length === 0) return false;
    if (this.#stamps.isFrozen(record.exchangeTime)) return false;
    this.#hear(record, way);
    return true;
  }

  #hear(record: T, way: 'feed' | 'request'): void {
    const last = this.#last;
    if (last !== undefined && way !== this.#lastWay) {
      if (record.exchangeTime < last.exchangeTime) return;
      const repeated = record.exchangeTime === last.exchangeTime;
      const confirms = record.receivedTime - last.receivedTime >= this.#quietMs();
      if (repeated && !confirms && this.#options.same(record, last)) return;
    }
    this.#last = record;
    this.#lastWay = way;
    // The record first: who hears that the stream is fresh again must find the new record.
    this.#options.publish(record);
    if (this.#options.isSign?.(record) !== false) this.#staleness.sign();
  }
}
