import type { Observable, Subscription } from 'rxjs';
import { type Candle, haveSameNumbers, INTERVAL_MS, type Interval } from '../../domain/index.ts';
import { usesFeed } from '../config.ts';
import { FeedWatch } from '../feed-watch.ts';
import { LeapWatch } from '../leap-watch.ts';
import type { Poller } from '../poller.ts';
import { type Gap, publishGap, type Source, type SourceContext, sourcePoller } from '../source.ts';
import { Staleness } from '../staleness.ts';
import { CANDLES_MAX } from './candle-outbox.ts';

/** How many closed candles every request reads again: the venue may have revised them. */
const REREAD = 2;
/** How many candles are remembered to tell a change from a repetition. */
const REMEMBERED = 10;

/**
 * The venue's own candles: a history first, then each as it closes, and again when it is revised.
 *
 * A feed may show a candle's end only by the next candle, and its last push may lack the last
 * trades. So an ended candle is read by request, and published as read. If no answer comes within
 * `candlesPollMs`, it is published as pushed, and again if it is read differently later. Only
 * requests revise closed candles, for a feed that was lost ends its last candle with what it has
 * seen. As long as requests have not read the candles that a feed skipped, none is published as
 * pushed.
 */
export class VenueCandles implements Source {
  readonly #context: SourceContext;
  readonly #market: string;
  readonly #interval: Interval;
  readonly #poller: Poller<readonly Candle[]>;
  readonly #feed: FeedWatch<Candle> | undefined;
  readonly #staleness: Staleness;
  readonly #leaps: LeapWatch<Candle>;
  /** The newest candles by open time, oldest first. */
  #known = new Map<number, Candle>();
  /** Candles that pushes have shown to be over and no request has read yet, by open time. */
  readonly #ended = new Map<number, Candle>();
  #pushedTimer: Subscription | undefined;
  /** Start of the newest candle whose end is awaited. */
  #awaitedTime = Number.NEGATIVE_INFINITY;
  #overdueTimer: Subscription | undefined;
  #hasHistory = false;
  /** Start of the newest candle that a request read as closed, and of the oldest one asked for. */
  #readTime = Number.POSITIVE_INFINITY;
  #askedTime = Number.NEGATIVE_INFINITY;
  /** Whether the feed has pushed a running candle since it came, or came back. */
  #hasPushedRunning = false;
  /** Whether the feed has skipped candles, or the end of one, that no request has read yet. */
  #hasSkipped = false;
  /** Start of the newest candle that was seen. */
  #newestTime = Number.NEGATIVE_INFINITY;

  constructor(context: SourceContext, options: { market: string; interval: Interval }) {
    const { bus, candleRequests, clock, config, connection, feed, logger } = context;
    const { market, interval } = options;
    const subject = `${interval} candles of ${market}`;
    this.#context = context;
    this.#market = market;
    this.#interval = interval;
    const limitMs = INTERVAL_MS[interval] + config.staleAfterMs.candles;
    this.#staleness = new Staleness({ clock, bus, market, stream: 'candle', limitMs });
    this.#leaps = new LeapWatch<Candle>({
      ...{ clock, aheadMaxMs: config.exchangeAgeMaxMs, stepMs: INTERVAL_MS[interval] },
      timeOf: ({ openTime }) => openTime,
      nameOf: ({ openTime }) => String(openTime),
      onLeap: (leap) => this.#publishGap(leap),
    });
    this.#poller = sourcePoller<readonly Candle[]>(context, {
      subject,
      intervalMs: config.candlesPollMs,
      queued: true,
      request: () => candleRequests.run(() => this.#request()),
      onAnswer: (candles) => {
        this.#read(this.#sound(candles));
        return 'wait';
      },
    });
    if (feed === undefined || !usesFeed(config, 'candles')) return;
    this.#feed = new FeedWatch<Candle>({
      clock,
      logger,
      subject,
      records: feed.candles({ market, interval }),
      connection: connection.feed,
      silenceMs: config.feedSilenceMs === 0 ? 0 : INTERVAL_MS[interval] + config.feedSilenceMs,
      onRecord: (candle) => {
        if (!this.#hasHistory) return;
        for (const sound of this.#sound([candle])) this.#push(sound);
      },
      onLost: () => {
        this.#hasPushedRunning = false;
        this.#poller.start();
      },
    });
  }

  start(): void {
    this.#staleness.start();
    this.#feed?.start();
    this.#poller.start();
  }

  stop(): void {
    this.#feed?.stop();
    this.#poller.stop();
    this.#staleness.stop();
    this.#pushedTimer?.unsubscribe();
    this.#pushedTimer = undefined;
    this.#overdueTimer?.unsubscribe();
    this.#awaitedTime = Number.NEGATIVE_INFINITY;
    this.#ended.clear();
    this.#known.clear();
    this.#hasHistory = false;
    this.#readTime = Number.POSITIVE_INFINITY;
    this.#askedTime = Number.NEGATIVE_INFINITY;
    this.#hasPushedRunning = false;
    this.#hasSkipped = false;
    this.#newestTime = Number.NEGATIVE_INFINITY;
  }

  /** Asks from the last known candles on, or further back to the last one read; first for all. */
  #request(): Observable<readonly Candle[]> {
    const { clock, config, data } = this.#context;
    const query = { market: this.#market, interval: this.#interval };
    const last = [...this.#known.keys()].at(-1 - REREAD) ?? this.#oldestKnown();
    if (last === undefined) return data.candles({ ...query, size: config.candleHistory + 1 });
    const oldest = Math.min(last, this.#readTime);
    this.#askedTime = oldest;
    const spanned = Math.ceil((clock.now() - oldest) / INTERVAL_MS[this.#interval]) + 2;
    const size = Math.max(2, Math.min(CANDLES_MAX, spanned));
    return data.candles({ ...query, since: oldest - 1, size });
  }

  #oldestKnown(): number | undefined {
    const [oldest] = this.#known.keys();
    return oldest;
  }

  #newestKnown(): number | undefined {
    return [...this.#known.keys()].at(-1);
  }

  /**
   * The candles that are not stamped far ahead. One counts as closed only when its time is over by
   * the market's clock or the next has begun: the date of whoever closed it may be ahead for a
   * moment.
   */
  #sound(given: readonly Candle[]): readonly Candle[] {
    const { marketClock } = this.#context;
    const candles = this.#leaps.sift(given);
    for (const { openTime } of candles) this.#newestTime = Math.max(this.#newestTime, openTime);
    marketClock.shows(this.#newestTime);
    const overTime = marketClock.now() - INTERVAL_MS[this.#interval];
    const isOver = ({ openTime }: Candle) => openTime <= overTime || openTime < this.#newestTime;
    return candles.map((candle) =>
      candle.closed && !isOver(candle) ? { ...candle, closed: false } : candle,
    );
  }

  #read(candles: readonly Candle[]): void {
    this.#staleness.sign();
    const { config } = this.#context;
    const surplus = candles.filter((candle) => candle.closed).length - config.candleHistory;
    const wanted = this.#hasHistory ? candles : candles.slice(Math.max(0, surplus));
    this.#hasHistory = true;
    this.#reportHole(wanted[0]);
    const newestTime = wanted.at(-1)?.openTime ?? Number.NEGATIVE_INFINITY;
    for (const candle of wanted) {
      const { openTime } = candle;
      // Our date may be far behind: a candle with a later one after it is over all the same.
      const closed = candle.closed || openTime < newestTime;
      this.#take(closed === candle.closed ? candle : { ...candle, closed });
      if (!closed) continue;
      this.#ended.delete(openTime);
      this.#readTime = openTime;
    }
    const isOpenBefore = [...this.#known.values()].slice(0, -1).some(({ closed }) => !closed);
    if (this.#feed?.live !== true || isOpenBefore) return;
    this.#hasSkipped = false;
    this.#poller.stop();
  }

  /** An answer is the newest part of what was asked for: it may begin after the known candles. */
  #reportHole(first: Candle | undefined): void {
    if (first === undefined || first.openTime <= this.#askedTime) return;
    const newest = [...this.#known.keys()].findLast((openTime) => openTime < first.openTime);
    if (newest === undefined || first.openTime <= newest + INTERVAL_MS[this.#interval]) return;
    const sides = { after: String(newest), before: String(first.openTime) };
    this.#publishGap({ ...sides, reason: `the ${this.#interval} candles between were not given` });
  }

  #publishGap(gap: Gap): void {
    publishGap(this.#context, { market: this.#market, stream: 'candle', ...gap });
  }

  #push(candle: Candle): void {
    const before = [...this.#known.values()].at(-1);
    if (before !== undefined && !candle.closed) {
      const wholeMs = this.#hasPushedRunning ? INTERVAL_MS[this.#interval] : 0;
      this.#hasSkipped ||= candle.openTime > before.openTime + wholeMs;
    }
    if (this.#hasSkipped) this.#poller.start();
    else this.#staleness.sign();
    if (before !== undefined && !before.closed && candle.openTime > before.openTime) {
      this.#end({ ...before, closed: true, receivedTime: candle.receivedTime });
    }
    this.#hasPushedRunning ||= !candle.closed;
    if (candle.closed) this.#end(candle);
    else this.#take(candle);
  }

  /** A candle is over: it is requested, and without an answer published as pushed after a while. */
  #end(candle: Candle): void {
    const { clock, config } = this.#context;
    this.#poller.start();
    const isRead = this.#known.get(candle.openTime)?.closed === true;
    if (isRead || !this.#hasPushedRunning || this.#hasSkipped) return;
    this.#take({ ...candle, closed: false });
    this.#ended.set(candle.openTime, candle);
    this.#pushedTimer ??= clock.schedule(() => {
      this.#pushedTimer = undefined;
      for (const ended of this.#ended.values()) this.#take(ended);
      this.#ended.clear();
    }, config.candlesPollMs);
  }

  /** Asks for a candle that is well past its end: where nothing trades no push comes. */
  #awaitEnd({ openTime }: Candle): void {
    if (openTime <= this.#awaitedTime) return;
    this.#awaitedTime = openTime;
    this.#overdueTimer?.unsubscribe();
    const { clock, config, marketClock } = this.#context;
    const leftMs = openTime + INTERVAL_MS[this.#interval] - marketClock.now();
    this.#overdueTimer = clock.schedule(() => {
      if (this.#known.get(openTime)?.closed !== true) this.#poller.start();
    }, leftMs + config.candlesPollMs);
  }

  /** Publishes what closed or was revised; a candle older than all that is known is neither. */
  #take(candle: Candle): void {
    const known = this.#known.get(candle.openTime);
    const oldest = this.#oldestKnown();
    if (known === undefined && oldest !== undefined && candle.openTime < oldest) return;
    if (known !== undefined && (isRepeated(known, candle) || (known.closed && !candle.closed))) {
      return;
    }
    const newest = this.#newestKnown();
    this.#known.set(candle.openTime, candle);
    if (!candle.closed) this.#awaitEnd(candle);
    // A request may bring a candle that pushes skipped.
    if (newest !== undefined && known === undefined && candle.openTime < newest) {
      this.#known = new Map([...this.#known].sort(([a], [b]) => a - b));
    }
    if (this.#known.size > REMEMBERED) this.#known.delete(oldest!);
    if (candle.closed) this.#context.bus.publish({ kind: 'candle', ...candle });
  }
}

function isRepeated(known: Candle, candle: Candle): boolean {
  return known.closed === candle.closed && haveSameNumbers(known, candle);
}
