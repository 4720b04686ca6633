import type { Subscription } from 'rxjs';
import { compareIds, type Trade } from '../domain/index.ts';
import { usesFeed } from './config.ts';
import { FeedWatch } from './feed-watch.ts';
import { LeapWatch } from './leap-watch.ts';
import type { Poller } from './poller.ts';
import { type Gap, publishGap, type Source, type SourceContext, sourcePoller } from './source.ts';
import { Staleness } from './staleness.ts';
import { type TapeGrowth, TradeTape } from './trade-tape.ts';

/** Most trades on a page: more may follow a full one. Source: contract, Limits. */
const TRADES_PAGE_SIZE = 50;

/**
 * The public trades of a market as one tape: the newest page first, then everything after it.
 *
 * Requests fill the tape until the feed connects with it: what the feed pushes first is held back
 * until requests have read up to it; from there on only the feed fills the tape. So nothing is lost
 * between the two, at the start and after every reconnection. If requests do not get there in time,
 * the feed takes over after a `gap`.
 */
export class TradesSource implements Source {
  readonly #context: SourceContext;
  readonly #market: string;
  readonly #tape = new TradeTape();
  readonly #leaps: LeapWatch<Trade>;
  readonly #poller: Poller<readonly Trade[]>;
  readonly #feed: FeedWatch<readonly Trade[]> | undefined;
  readonly #staleness: Staleness;
  /** Batches of the feed that wait for requests to reach them. */
  #held: (readonly Trade[])[] = [];
  #joining: Subscription | undefined;
  #joined = false;
  /** The cursor of the last request; undefined: it asked for the newest page. */
  #asked: string | undefined;
  /** When that request left, and when the feed last pushed, by the market's clock. */
  #askedTime = 0;
  #pushedTime = 0;
  #readUntil = Number.NEGATIVE_INFINITY;

  constructor(context: SourceContext, market: string) {
    const { bus, clock, marketClock, config, connection, data, feed, logger } = context;
    const subject = `trades of ${market}`;
    this.#context = context;
    this.#market = market;
    this.#staleness = new Staleness({
      clock,
      bus,
      market,
      stream: 'trade',
      limitMs: config.staleAfterMs.trades,
      // Silence is normal in a quiet market: a standing connection is a sign of life.
      alive: () => this.#feed?.connected === true,
    });
    this.#leaps = new LeapWatch<Trade>({
      ...{ clock, aheadMaxMs: config.exchangeAgeMaxMs },
      timeOf: ({ exchangeTime }) => exchangeTime,
      nameOf: ({ id }) => id,
      onLeap: (gap) => this.#publishGap(gap),
    });
    this.#poller = sourcePoller<readonly Trade[]>(context, {
      subject,
      intervalMs: config.tradesPollMs,
      request: () => {
        const since = this.#tape.since;
        this.#asked = since;
        this.#askedTime = marketClock.now();
        return data.trades(since === undefined ? { market } : { market, since });
      },
      onAnswer: (page) => this.#read(page),
    });
    if (feed === undefined || !usesFeed(config, 'trades')) return;
    this.#feed = new FeedWatch<readonly Trade[]>({
      clock,
      logger,
      subject,
      records: feed.trades(market),
      connection: connection.feed,
      silenceMs: config.feedSilenceMs,
      onRecord: (batch) => this.#push(batch),
      onLost: () => {
        this.#part();
        this.#poller.start();
      },
    });
  }

  /** The time up to which all trades are published, by the market's clock. */
  get readUntil(): number {
    return this.#joined ? this.#context.marketClock.now() : this.#readUntil;
  }

  start(): void {
    this.#tape.resume();
    this.#staleness.start();
    this.#feed?.start();
    if (!this.#joined) this.#poller.start();
  }

  stop(): void {
    this.#feed?.stop();
    this.#part();
    this.#poller.stop();
    this.#staleness.stop();
    this.#readUntil = Number.NEGATIVE_INFINITY;
  }

  /** Takes the answer of a request. */
  #read(page: readonly Trade[]): 'again' | 'wait' {
    this.#staleness.sign();
    const growth = this.#tape.page(page);
    this.#publish(growth);
    const more =
      this.#asked !== undefined && page.length >= TRADES_PAGE_SIZE && growth.trades.length > 0;
    if (!more && this.#reaches(page)) this.#readUntil = this.#askedTime;
    if (this.#held.length > 0) this.#tryToJoin();
    return more ? 'again' : 'wait';
  }

  /** Whether a page reaches the newest trade of the tape: an outdated answer does not. */
  #reaches(page: readonly Trade[]): boolean {
    const newest = this.#tape.newestId;
    return newest === undefined || page.some((trade) => trade.id === newest);
  }

  /** Takes what the feed pushed. */
  #push(batch: readonly Trade[]): void {
    if (batch.length === 0) return;
    this.#pushedTime = this.#context.marketClock.now();
    this.#staleness.sign();
    if (this.#joined) {
      this.#publish(this.#tape.batch(batch));
      return;
    }
    this.#held.push(batch);
    if (this.#held.length === 1) this.#awaitJoin();
    this.#tryToJoin();
  }

  #awaitJoin(): void {
    const { clock, config } = this.#context;
    this.#poller.hurry();
    this.#joining = clock.schedule(() => this.#jump(), config.feedJoinTimeoutMs);
  }

  /** Lets the feed take over once the tape has reached the first trade that it pushed. */
  #tryToJoin(): void {
    const newest = this.#tape.newestId;
    const first = this.#held[0]?.reduce((a, b) => (compareIds(a.id, b.id) <= 0 ? a : b));
    if (newest === undefined || first === undefined) return;
    const next = (BigInt(newest) + 1n).toString();
    if (compareIds(first.id, next) > 0) return;
    for (const batch of this.#takeOver()) this.#publish(this.#tape.batch(batch));
  }

  /** Lets the feed take over although requests have not reached its first trade. */
  #jump(): void {
    this.#publish(this.#tape.jump(this.#takeOver().flat()));
  }

  #takeOver(): (readonly Trade[])[] {
    const held = this.#held;
    this.#held = [];
    this.#joined = true;
    this.#joining?.unsubscribe();
    this.#poller.stop();
    return held;
  }

  /** Leaves a lost feed: requests go on from the newest trade, and read the held batches anew. */
  #part(): void {
    if (this.#joined) this.#readUntil = this.#pushedTime;
    this.#joined = false;
    this.#held = [];
    this.#joining?.unsubscribe();
  }

  /**
   * Trades stamped far ahead are not published, but stay on the tape: reading goes on after them.
   */
  #publish({ trades, gap }: TapeGrowth): void {
    const { bus, marketClock } = this.#context;
    if (gap !== undefined) this.#publishGap(gap);
    for (const trade of this.#leaps.sift(trades)) {
      marketClock.shows(trade.exchangeTime);
      bus.publish({ kind: 'trade', ...trade });
    }
  }

  #publishGap(gap: Gap): void {
    publishGap(this.#context, { market: this.#market, stream: 'trade', ...gap });
  }
}
