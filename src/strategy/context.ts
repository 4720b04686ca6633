import type { Observable } from 'rxjs';
import type {
  Balance,
  Candle,
  DataQualityEvent,
  Depth,
  Fill,
  Interval,
  LiveOrder,
  Market,
  Position,
  Refusal,
  Ticker,
  Trade,
} from '../domain/index.ts';
import type { Clock, Random } from '../kernel/index.ts';

/** A market, or its identifier such as `btc_usdt`. */
export type MarketReference = Market | string;

/** Whether one stream of a market's data is recent enough to trade on. */
export type Freshness = Extract<DataQualityEvent, { readonly kind: 'freshness' }>;

/** A wish of the strategy, or an order for it, that was refused. */
export interface StrategyRefusal extends Refusal {
  /**
   * Who said no. Of the exchange's `code` is `rejected`, or `absent` where reads did not find the
   * order, and `observed` its words.
   */
  readonly by: 'risk' | 'exchange';
  readonly market: string;
  /** The tag of the `order` that was refused; absent of quotes and targets. */
  readonly tag?: string;
  /** How much of it leaves all the same: of an exit that was cut down. */
  readonly left?: number;
  /** The exchange's own code, where it gave one. */
  readonly exchangeCode?: number;
  /** When it was refused, milliseconds since the epoch. */
  readonly time: number;
}

/**
 * What a running strategy sees. The same in a backtest, on paper and live.
 *
 * Wherever a market may be named, leaving it out means the strategy's first market.
 * Market data is hot: a stream begins with the next record after subscribing. State (position,
 * balance, orders, freshness) begins at once with the present value. Streams do not fail, and are
 * let go of when the strategy is over.
 *
 * Every method that takes a market throws a `StrategyError` where the market is not among the
 * strategy's own.
 */
export interface StrategyContext<P = unknown> {
  /** The instance's name, unique in the deployment. */
  readonly name: string;
  /** The parameters as the strategy's own schema read them, defaults filled in. */
  readonly params: P;
  /** The markets that the deployment gives to this strategy; at least one. */
  readonly markets: readonly Market[];
  /** The first of `markets`. */
  readonly market: Market;

  /** Snapshots of the book's top. */
  depth(market?: MarketReference): Observable<Depth>;
  /** The 24-hour summary, each time that it is read. */
  ticker(market?: MarketReference): Observable<Ticker>;
  /** Public trades one by one, oldest first. */
  trades(market?: MarketReference): Observable<Trade>;
  /**
   * Closed candles, oldest first: the known history at once, then each candle as it closes, once. A
   * later revision of it is not told.
   */
  candles(interval: Interval, market?: MarketReference): Observable<Candle>;
  /** Whether each of the market's data streams is fresh; says so again at each change. */
  freshness(market?: MarketReference): Observable<Freshness>;

  /**
   * What this strategy holds by its own fills, zero before the first of them. On a venue those of
   * earlier runs count too: all that the deployment's journal knows under the strategy's name. An
   * exchange in this process, as in a rehearsal or a backtest, begins anew with every run: there those
   * of this run are all.
   */
  position(market?: MarketReference): Observable<Position>;
  /** This strategy's fills as they are learnt. */
  fills(market?: MarketReference): Observable<Fill>;
  /** This strategy's orders that are not final yet, the whole list after each change. */
  orders(market?: MarketReference): Observable<readonly LiveOrder[]>;
  /**
   * The refusals of this strategy's wishes: by risk, and of its orders by the exchange. Each `order`
   * that is refused is told; of quotes and targets the same words are told once.
   *
   * They come when the wish has been handled, at once; those within a second of that come together at
   * its end: a strategy that wishes the same again on each is refused once a second.
   */
  refusals(market?: MarketReference): Observable<StrategyRefusal>;
  /**
   * The account's balance of a currency such as `usdt`, shared by all strategies: zero until it is
   * known.
   *
   * @throws {StrategyError} when the name is not in lower case.
   */
  balance(currency: string): Observable<Balance>;

  /** The run's time; hand it to every timed operator: `debounceTime(100, context.clock)`. */
  readonly clock: Clock;
  /** Seeded draws that belong to this strategy alone; use it in place of `Math.random`. */
  readonly random: Random;
  /** Writes a line to the run's log, with the strategy's name and any fields given. */
  log(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
