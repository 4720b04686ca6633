import { filter, merge, mergeMap, NEVER, Observable, share } from 'rxjs';
import {
  type Candle,
  type DataStream,
  type Depth,
  INTERVAL_MS,
  type Interval,
  intervalStart,
  midOf,
  type Ticker,
  type Trade,
  type TradingEvent,
} from '../domain/index.ts';
import { type Bus, type Clock, FewMap, getOrInsert } from '../kernel/index.ts';
import type { Print } from './candles/candle-builder.ts';
import { coarserCandles } from './candles/coarser-candles.ts';
import { type Outage, PrintedCandles } from './candles/printed-candles.ts';
import type { MarketConfig } from './config.ts';
import { knownOf, MarketDataError } from './errors.ts';
import type { CandlesSelection, StreamsPort } from './streams-port.ts';

/** What is recorded of a market. */
export interface RecordedData {
  /** Its name, for messages. */
  readonly name: string;
  /** The kinds of events that are published for it. */
  readonly kinds: ReadonlySet<DataStream>;
  /** Length of its candles; candles only. */
  readonly interval?: Interval | undefined;
  /** How candles are built from its trades. Default: none are. */
  readonly prints?: Prints | undefined;
}

/** What building candles needs besides the trades. */
interface Prints {
  /**
   * What replaces trades that are not published: each depth's mid price, as a trade of amount 1.
   */
  readonly of?: 'depth';
  /** Decimal places of amounts. */
  readonly amountScale: number;
  /** Where trades are known to be missing, in order of time. */
  readonly outages: readonly Outage[];
}

/** Which part of the past is wanted. */
export interface PastQuery {
  readonly market: string;
  /** First moment, milliseconds since the epoch. */
  readonly fromMs: number;
}

/** Records from before the first published event. Each stream completes after its last one. */
export interface PastRecords {
  /** Candles of the recorded length, oldest first. */
  candles(query: PastQuery): Observable<Candle>;
  /** Trades, oldest first. */
  prints(query: PastQuery): Observable<Print>;
}

/** What candle streams begin with, and how they are built. */
export interface CandleHistory {
  readonly clock: Clock;
  readonly config: Pick<MarketConfig, 'candleHistory' | 'candleGraceMs'>;
  readonly past: PastRecords;
}

export interface DirectStreamsOptions {
  readonly bus: Bus<TradingEvent>;
  /** The markets that may be asked for, and what there is of each. */
  readonly recorded: ReadonlyMap<string, RecordedData>;
  /** Default: candles begin with the first that is published, and none are built from trades. */
  readonly history?: CandleHistory;
}

/**
 * Market data that others publish on the bus: a stream is its topic, and candles that are not
 * published are built. Nothing is polled, and nothing turns stale by itself.
 */
export class DirectStreams implements StreamsPort {
  readonly #bus: Bus<TradingEvent>;
  readonly #recorded: ReadonlyMap<string, RecordedData>;
  readonly #history: CandleHistory | undefined;
  readonly #depthReaders = new FewMap<string, number>();
  /** The candles that are built from trades, by market and interval. */
  readonly #printed = new Map<string, Observable<never>>();

  constructor({ bus, recorded, history }: DirectStreamsOptions) {
    this.#bus = bus;
    this.#recorded = recorded;
    this.#history = history;
  }

  /** Nothing has to be kept up to date: it is published in any case. */
  watched(_market: string): Observable<never> {
    return NEVER;
  }

  /** Nothing has to be asked for either: trades are published, or candles. */
  traded(_market: string): Observable<never> {
    return NEVER;
  }

  ticker(market: string): Observable<Ticker> {
    this.#require(market, 'ticker');
    return this.#bus.on('ticker', market);
  }

  depth(market: string): Observable<Depth> {
    this.#require(market, 'depth');
    const topic = this.#bus.on('depth', market);
    return new Observable((subscriber) => {
      this.#depthReaders.set(market, this.#readersOf(market) + 1);
      topic.subscribe(subscriber);
      return () => this.#depthReaders.set(market, this.#readersOf(market) - 1);
    });
  }

  /** Whether anyone subscribes to a market's depth: if not, nobody has to make books up. */
  hasDepthReaders(market: string): boolean {
    return this.#readersOf(market) > 0;
  }

  trades(market: string): Observable<Trade> {
    this.#require(market, 'trade');
    return this.#bus.on('trade', market);
  }

  /** Candles as recorded, coarser ones built from them, or candles built from trades. */
  candles(selection: CandlesSelection): Observable<Candle> {
    const { market, interval } = selection;
    const prints = this.#recorded.get(market)?.prints;
    if (prints !== undefined && this.#history !== undefined) {
      return merge(
        this.#bus.on('candle', market).pipe(filter((candle) => candle.interval === interval)),
        this.#builtOf(prints, { ...this.#history, ...selection }),
      );
    }
    const { name, interval: recorded } = this.#require(market, 'candle');
    const candles = this.#behindPast(selection);
    // Only candles of the recorded length are published.
    if (recorded === interval) return candles;
    if (recorded === undefined) {
      return candles.pipe(filter((candle) => candle.interval === interval));
    }
    if (INTERVAL_MS[interval] % INTERVAL_MS[recorded] === 0) {
      return candles.pipe(coarserCandles(interval));
    }
    throw new MarketDataError(
      `Cannot stream candles of ${interval} in ${market}: ${name} has candles of ${recorded}, ` +
        'an interval that is a multiple of these is wanted',
    );
  }

  /** The published candles, after those of the past that the wanted ones are built from. */
  #behindPast({ market, interval }: CandlesSelection): Observable<Candle> {
    const topic = this.#bus.on('candle', market);
    if (this.#history === undefined) return topic;
    const history = this.#history;
    return new Observable((subscriber) => {
      const fromMs = historyFrom(history, interval);
      const told = history.past.candles({ market, fromMs }).subscribe({
        next: (candle) => subscriber.next(candle),
        complete: () => topic.subscribe(subscriber),
      });
      subscriber.add(told);
    });
  }

  /** Publishes candles built from trades while subscribed; emits nothing. */
  #builtOf(
    { of, amountScale, outages }: Prints,
    { market, interval, ...history }: CandlesSelection & CandleHistory,
  ): Observable<never> {
    const { clock, config, past } = history;
    const built = new Observable<never>(() => {
      const candles = new PrintedCandles({
        ...{ clock, market, interval, amountScale, outages, graceMs: config.candleGraceMs },
        past: past.prints({ market, fromMs: historyFrom(history, interval) }),
        trades: of === 'depth' ? this.#middles(market) : this.#bus.on('trade', market),
        publish: (candle) => this.#bus.publish({ kind: 'candle', ...candle }),
      });
      candles.start();
      return () => candles.stop();
    });
    return getOrInsert(this.#printed, `${market} ${interval}`, () => built.pipe(share()));
  }

  #middles(market: string): Observable<Print> {
    return this.#bus.on('depth', market).pipe(
      mergeMap((depth): Print[] => {
        const price = midOf(depth);
        return price === undefined ? [] : [{ exchangeTime: depth.exchangeTime, price, amount: 1 }];
      }),
    );
  }

  #readersOf(market: string): number {
    return this.#depthReaders.get(market) ?? 0;
  }

  #require(market: string, kind: DataStream): RecordedData {
    const recorded = knownOf(this.#recorded, market);
    if (recorded.kinds.has(kind)) return recorded;
    // Made only when needed: making a ListFormat takes longer than many a short run.
    const kinds = new Intl.ListFormat('en-GB').format(recorded.kinds);
    const what = `Cannot stream ${kind} of ${market}: ${recorded.name} has ${kinds} alone`;
    // At the beginning of a recording nobody knows what was traded in the day before.
    const why = kind === 'ticker' ? ', of which no summary of 24 hours is made' : '';
    throw new MarketDataError(`${what}${why}, one of these is wanted`);
  }
}

/** The beginning of the oldest candle wanted from the past. */
function historyFrom({ clock, config }: CandleHistory, interval: Interval): number {
  return intervalStart(clock.now(), interval) - config.candleHistory * INTERVAL_MS[interval];
}
