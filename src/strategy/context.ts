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
   * Who refused. For the exchange, `code` is `rejected`, or `absent` if reads did not find the
   * order, and `observed` is what the exchange said.
   */
  readonly by: 'risk' | 'exchange';
  readonly market: string;
  /** The tag of the `order` that was refused; absent for quotes and targets. */
  readonly tag?: string;
  /** For an exit that was cut down: the amount that leaves all the same. */
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
 * balance, orders, freshness) begins at once with the present value. Streams never fail, and are
 * unsubscribed when the strategy is over.
 *
 * Every method that takes a market throws a `StrategyError` if the market is not one of the
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
  /** The 24-hour summary, each time it is read. */
  ticker(market?: MarketReference): Observable<Ticker>;
  /** Public trades one by one, oldest first. */
  trades(market?: MarketReference): Observable<Trade>;
  /**
   * Closed candles, oldest first: the known history at once, then each candle once, as it closes.
   * Later revisions of a candle are not emitted.
   */
  candles(interval: Interval, market?: MarketReference): Observable<Candle>;
  /** Whether each of the market's data streams is fresh: now, and at each change. */
  freshness(market?: MarketReference): Observable<Freshness>;

  /**
   * What this strategy holds by its own fills; zero before the first. On a venue the fills of
   * earlier runs count too, as far as the deployment's journal has them under the strategy's name.
   * An exchange inside the process, as in a rehearsal or a backtest, begins anew with every run:
   * there only this run's fills count.
   */
  position(market?: MarketReference): Observable<Position>;
  /** This strategy's fills as they are learnt. */
  fills(market?: MarketReference): Observable<Fill>;
  /** This strategy's orders that are not final yet, the whole list after each change. */
  orders(market?: MarketReference): Observable<readonly LiveOrder[]>;
  /**
   * The refusals of this strategy's wishes by risk and of its orders by the exchange. Every refused
   * `order` is reported; for quotes and targets the same words are reported once.
   *
   * A refusal arrives as soon as the wish has been handled; further ones within a second arrive
   * together at its end. So a strategy that repeats its wish on each is refused once a second.
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
