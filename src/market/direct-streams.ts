import { filter, NEVER, Observable } from 'rxjs';
import {
  type Candle,
  type Depth,
  INTERVAL_MS,
  type Interval,
  type Ticker,
  type Trade,
  type TradingEvent,
} from '../domain/index.ts';
import type { Bus } from '../kernel/index.ts';
import { coarserCandles } from './coarser-candles.ts';
import { MarketDataError } from './errors.ts';
import type { CandlesSelection, StreamsPort } from './streams-port.ts';

/** What is recorded of a market. */
export interface RecordedData {
  /** Its name, for messages. */
  readonly name: string;
  /** The kinds of events that are published of it. */
  readonly kinds: ReadonlySet<'candle' | 'trade' | 'depth' | 'ticker'>;
  /** Length of its candles; candles only. */
  readonly interval?: Interval | undefined;
}

export interface DirectStreamsOptions {
  readonly bus: Bus<TradingEvent>;
  /** What there is of each market that may be asked for. */
  readonly recorded: ReadonlyMap<string, RecordedData>;
}

/**
 * Market data that somebody publishes on the bus: a stream is its topic and nothing else. Nothing is
 * polled, and nothing grows stale by itself.
 */
export class DirectStreams implements StreamsPort {
  readonly #bus: Bus<TradingEvent>;
  readonly #recorded: ReadonlyMap<string, RecordedData>;
  readonly #depthReaders = new Map<string, number>();

  constructor({ bus, recorded }: DirectStreamsOptions) {
    this.#bus = bus;
    this.#recorded = recorded;
  }

  /** Nothing has to be kept up to date: it is published in any case. */
  watched(_market: string): Observable<never> {
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

  /** Whether any strategy listens to a market's depth: who makes it up need not do so for nobody. */
  hasDepthReaders(market: string): boolean {
    return this.#readersOf(market) > 0;
  }

  trades(market: string): Observable<Trade> {
    this.#require(market, 'trade');
    return this.#bus.on('trade', market);
  }

  /** Candles as recorded, or coarser ones built of them. */
  candles({ market, interval }: CandlesSelection): Observable<Candle> {
    const { name, interval: recorded } = this.#require(market, 'candle');
    const candles = this.#bus.on('candle', market);
    // Who publishes them publishes those of one length alone.
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

  #readersOf(market: string): number {
    return this.#depthReaders.get(market) ?? 0;
  }

  #require(market: string, kind: 'candle' | 'trade' | 'depth' | 'ticker'): RecordedData {
    const recorded = this.#recorded.get(market);
    if (recorded === undefined) {
      const known = [...this.#recorded.keys()].join(', ');
      throw new MarketDataError(
        `Cannot stream ${market}: it is no market here, one of ${known} is wanted`,
      );
    }
    if (recorded.kinds.has(kind)) return recorded;
    const kinds = [...recorded.kinds].join(' and ');
    throw new MarketDataError(
      `Cannot stream ${kind} of ${market}: ${recorded.name} has ${kinds} alone`,
    );
  }
}
