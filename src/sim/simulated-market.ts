import { Subject } from 'rxjs';
import {
  amountOf,
  type Candle,
  type Depth,
  priceOf,
  type Stamped,
  type Ticker,
  type Trade,
} from '../domain/index.ts';
import { type Clock, MINUTE_MS, toUnits } from '../kernel/index.ts';
import { AnonymousLiquidity } from './anonymous-liquidity.ts';
import { CandleFeeds } from './candle-feeds.ts';
import { SimulationError } from './errors.ts';
import { MarketRecords } from './market-records.ts';
import { MatchingEngine, type MatchingEngineOptions } from './matching-engine.ts';
import type { FillModel } from './models/model.ts';
import { Throttle } from './throttle.ts';

/** One minute of the past, prices and volume as numbers. */
export type MinuteBar = Pick<Candle, 'openTime' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

export interface SimulatedMarketOptions extends MatchingEngineOptions {
  /** Least time between two pushes of depth or ticker; 0 pushes every change. */
  readonly depthIntervalMs: number;
  /** How long a push is under way, milliseconds. */
  readonly pushMs: number;
  /** Called after each change that came through the liquidity inlet. */
  readonly publish: () => void;
}

/** One market with its engine, its records and its feeds. */
export class SimulatedMarket {
  readonly engine: MatchingEngine;
  readonly records: MarketRecords;
  readonly liquidity: AnonymousLiquidity;
  readonly tickers = new Subject<Ticker>();
  readonly depths = new Subject<Depth>();
  readonly trades = new Subject<readonly Trade[]>();
  readonly candles: CandleFeeds;
  /** Whether the market can be traded and read; a delisted market pushes nothing. */
  isListed = true;
  /** The fill model that decides what orders meet; undefined: they meet what rests in the book. */
  model: Pick<FillModel<never>, 'arriving'> | undefined;
  /** The stamp of what is pushed now. */
  readonly stamp: () => Stamped;
  /** Pushes what changed in orders, balances and market data. */
  readonly pushChanges: () => void;
  readonly #clock: Clock;
  readonly #bookPushes: Throttle;
  #publishedVersion = 0;
  #publishedTradeId: number;

  constructor(options: SimulatedMarketOptions) {
    const { clock, depthIntervalMs: intervalMs, pushMs, publish } = options;
    this.#clock = clock;
    this.pushChanges = publish;
    this.stamp = () => ({ exchangeTime: clock.now(), receivedTime: clock.now() + pushMs });
    this.engine = new MatchingEngine(options);
    this.records = new MarketRecords(this.engine);
    this.liquidity = new AnonymousLiquidity(this.engine, publish);
    this.candles = new CandleFeeds({ clock, records: this.records, stamp: this.stamp });
    this.#bookPushes = new Throttle({ clock, intervalMs, work: () => this.#publishBook() });
    this.#publishedTradeId = this.engine.tape.lastId;
  }

  /** Pushes everything that changed since the last call. */
  publish(): void {
    const { tape, book } = this.engine;
    const after = this.#publishedTradeId;
    const traded = tape.lastId !== after;
    const changed = traded || book.version !== this.#publishedVersion;
    this.#publishedTradeId = tape.lastId;
    this.#publishedVersion = book.version;
    if (traded && this.trades.observed) {
      this.trades.next(this.records.tradesAfter(after, this.stamp().receivedTime));
    }
    if (traded) this.candles.publish({ closedOnly: false });
    if (changed && (this.depths.observed || this.tickers.observed)) this.#bookPushes.trigger();
  }

  /**
   * Gives the market a past: minutes in order of time, before its first trade. Numbers finer than
   * the market's scales are rounded to the nearest: a volume may be a sum of doubles.
   *
   * @throws {SimulationError} when a minute is out of place or lies in the future.
   */
  seedHistory(minutes: readonly MinuteBar[]): void {
    const { bars, units } = this.engine;
    const { market } = units;
    const unitsOf = (price: number) => toUnits(priceOf(market, price), market.priceScale);
    let earliest = bars.minuteEnd ?? 0;
    for (const { openTime, volume, ...prices } of minutes) {
      if (openTime < earliest || openTime % MINUTE_MS !== 0 || openTime > this.#clock.now()) {
        throw new SimulationError(
          `Cannot add the past minute ${openTime}: whole minutes in order of time, later than ` +
            'all trades and not in the future are wanted',
        );
      }
      earliest = openTime + MINUTE_MS;
      this.engine.recordPast({
        openTime,
        open: unitsOf(prices.open),
        high: unitsOf(prices.high),
        low: unitsOf(prices.low),
        close: unitsOf(prices.close),
        volume: toUnits(amountOf(market, volume, 'nearest'), market.amountScale),
      });
    }
  }

  #publishBook(): void {
    if (this.depths.observed) this.depths.next(this.records.depth({}, this.stamp()));
    if (this.tickers.observed) this.tickers.next(this.records.ticker(this.stamp()));
  }
}
