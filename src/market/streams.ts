import { filter, Observable } from 'rxjs';
import type {
  Candle,
  Depth,
  Interval,
  Market,
  Ticker,
  Trade,
  TradingEvent,
} from '../domain/index.ts';
import {
  CONTRACT_LIMITS,
  type MarketDataPort,
  type MarketFeedPort,
  type RateLimits,
} from '../exchange/index.ts';
import { type Bus, type Clock, getOrInsert, type Logger, seldomWarning } from '../kernel/index.ts';
import { BuiltCandles } from './candles/built-candles.ts';
import { VenueCandles } from './candles/venue-candles.ts';
import type { MarketConfig } from './config.ts';
import { MarketConnection } from './connection.ts';
import { depthSource } from './depth.ts';
import { knownOf } from './errors.ts';
import { MarketClock } from './market-clock.ts';
import { SharedSource, type Source, type SourceContext } from './source.ts';
import { SpacedQueue } from './spaced-queue.ts';
import type { CandlesSelection, StreamsPort } from './streams-port.ts';
import { tickerSource } from './ticker.ts';
import { TradesSource } from './trades.ts';

export interface MarketStreamsOptions {
  readonly clock: Clock;
  readonly bus: Bus<TradingEvent>;
  readonly data: MarketDataPort;
  /** Undefined: everything is polled. */
  readonly feed: MarketFeedPort | undefined;
  /** The markets that may be asked for. */
  readonly markets: ReadonlyMap<string, Market>;
  readonly config: MarketConfig;
  readonly logger: Logger;
  /** Where the pace of candle requests comes from. Default: the contract's limits. */
  readonly limits?: Pick<RateLimits, 'candleIntervalMs'>;
}

/**
 * The market data of the venue as streams, each a topic of the bus and its source.
 *
 * A source polls or follows a feed and publishes on the bus; a stream is the bus topic and nothing
 * else, so that a journal of the bus holds all that anybody saw, in the order they saw it. The
 * first subscriber of a market and kind starts the source, the last one to leave stops it.
 *
 * Streams repeat nothing for late subscribers: subscribe in one turn of the clock to share a source
 * from its first record on.
 */
export class MarketStreams implements StreamsPort {
  readonly #context: SourceContext;
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #shared = new Map<string, SharedSource>();
  readonly #tapes = new Map<string, TradesSource>();

  constructor(options: MarketStreamsOptions) {
    const { clock, bus, data, feed, config, logger, limits = CONTRACT_LIMITS } = options;
    this.#markets = options.markets;
    this.#context = {
      clock,
      marketClock: new MarketClock(clock),
      bus,
      data,
      feed,
      config,
      // Polling that fails would warn several times a second.
      logger: seldomWarning(logger, clock),
      connection: new MarketConnection({ clock, bus, feed }),
      candleRequests: new SpacedQueue({
        clock,
        spacingMs: limits.candleIntervalMs,
        timeoutMs: config.requestTimeoutMs,
      }),
    };
  }

  /** Its book: risk and status look at that of every market. */
  watched(market: string): Observable<Depth> {
    return this.depth(market);
  }

  /** Its public trades, whatever candles are made of. */
  traded(market: string): Observable<Trade> {
    return this.trades(market);
  }

  /** The tickers of a market. @throws {MarketDataError} when the market is unknown. */
  ticker(market: string): Observable<Ticker> {
    const { id } = knownOf(this.#markets, market);
    const source = this.#share(`ticker ${id}`, () => tickerSource(this.#context, id));
    return stream(this.#context.bus.on('ticker', id), source);
  }

  /** The top of a market's book. @throws {MarketDataError} when the market is unknown. */
  depth(market: string): Observable<Depth> {
    const { id } = knownOf(this.#markets, market);
    const source = this.#share(`depth ${id}`, () => depthSource(this.#context, id));
    return stream(this.#context.bus.on('depth', id), source);
  }

  /**
   * The public trades of a market, beginning with the newest page, ordered by id except late ones.
   *
   * @throws {MarketDataError} when the market is unknown.
   */
  trades(market: string): Observable<Trade> {
    const { id } = knownOf(this.#markets, market);
    const source = this.#share(`trades ${id}`, () => this.#tape(id));
    return stream(this.#context.bus.on('trade', id), source);
  }

  /**
   * The candles of a market and interval: closed ones from the past, then each as it closes.
   *
   * @throws {MarketDataError} when the market is unknown.
   */
  candles({ market, interval }: CandlesSelection): Observable<Candle> {
    const known = knownOf(this.#markets, market);
    const source = this.#share(`candles ${market} ${interval}`, () =>
      this.#candlesSource(known, interval),
    );
    const topic = this.#context.bus.on('candle', market);
    return stream(topic.pipe(filter((candle) => candle.interval === interval)), source);
  }

  #candlesSource(market: Market, interval: Interval): Source {
    const context = this.#context;
    if (context.config.candles === 'venue') {
      return new VenueCandles(context, { market: market.id, interval });
    }
    const tape = this.#tape(market.id);
    return new BuiltCandles(context, {
      market,
      interval,
      trades: this.trades(market.id),
      readUntil: () => tape.readUntil,
    });
  }

  #tape(market: string): TradesSource {
    return getOrInsert(this.#tapes, market, () => new TradesSource(this.#context, market));
  }

  #share(key: string, create: () => Source): SharedSource {
    const { clock } = this.#context;
    return getOrInsert(this.#shared, key, () => new SharedSource(clock, create()));
  }
}

/** A topic whose source runs while it has subscribers; the topic is joined before the source. */
function stream<T>(topic: Observable<T>, source: SharedSource): Observable<T> {
  return new Observable<T>((subscriber) => {
    topic.subscribe(subscriber);
    source.acquire();
    return () => source.release();
  });
}
