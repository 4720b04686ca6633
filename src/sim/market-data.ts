import type { Observable } from 'rxjs';
import type { Candle, Depth, Market, Stamped, Ticker, Trade } from '../domain/index.ts';
import type { CandleQuery, DepthQuery, MarketDataPort } from '../exchange/index.ts';
import type { MarketRecords } from './market-records.ts';
import { listedOn, marketOn, type TradingFloor } from './trading-floor.ts';

/** The public market data of the simulated exchange. */
export class SimulatedMarketData implements MarketDataPort {
  readonly #floor: TradingFloor;

  constructor(floor: TradingFloor) {
    this.#floor = floor;
  }

  markets(): Observable<readonly Market[]> {
    const floor = this.#floor;
    return floor.calls.call(() => listedOn(floor).map(({ engine }) => engine.units.market));
  }

  ticker(market: string): Observable<Ticker> {
    return this.#of(market, (records, stamp) => records.ticker(stamp));
  }

  tickers(): Observable<readonly Ticker[]> {
    const floor = this.#floor;
    return floor.calls.call((stampOf) => {
      const stamp = stampOf();
      return listedOn(floor).map(({ records }) => records.ticker(stamp));
    });
  }

  depth(query: DepthQuery): Observable<Depth> {
    return this.#of(query.market, (records, stamp) => records.depth(query, stamp));
  }

  trades(query: { market: string; since?: string }): Observable<readonly Trade[]> {
    return this.#of(query.market, (records, { receivedTime }) =>
      records.trades(query.since, receivedTime),
    );
  }

  candles(query: CandleQuery): Observable<readonly Candle[]> {
    return this.#of(query.market, (records, stamp) => records.candles(query, stamp));
  }

  /** Reads the records of a listed market. */
  #of<T>(market: string, tell: (records: MarketRecords, stamp: Stamped) => T): Observable<T> {
    const floor = this.#floor;
    return floor.calls.call((stampOf) => tell(marketOn(floor, market).records, stampOf()));
  }
}
