import type { Observable } from 'rxjs';
import type { Candle, Depth, Interval, Ticker, Trade } from '../domain/index.ts';

/** Which candles are wanted. */
export interface CandlesSelection {
  readonly market: string;
  readonly interval: Interval;
}

/**
 * The market data that strategies hear, wherever it comes from. Every method throws a
 * `MarketDataError` for a market that is not known, or that has no such data.
 */
export interface StreamsPort {
  /**
   * Keeps the data that risk and status use up to date while subscribed; emissions mean nothing.
   */
  watched(market: string): Observable<unknown>;
  /** Has a market's trades published on the bus while subscribed; emissions mean nothing. */
  traded(market: string): Observable<unknown>;
  ticker(market: string): Observable<Ticker>;
  /** The top of the book. */
  depth(market: string): Observable<Depth>;
  /** Public trades, oldest first. */
  trades(market: string): Observable<Trade>;
  /** Closed candles, oldest first. */
  candles(selection: CandlesSelection): Observable<Candle>;
}
