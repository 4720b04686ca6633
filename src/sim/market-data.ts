import type { Observable } from 'rxjs';
import type { Candle, Depth, Market, Ticker, Trade } from '../domain/index.ts';
import type { CandleQuery, DepthQuery, MarketDataPort } from '../exchange/index.ts';
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
    const floor = this.#floor;
    return floor.calls.call((stampOf) => marketOn(floor, market).records.ticker(stampOf()));
  }

  tickers(): Observable<readonly Ticker[]> {
    const floor = this.#floor;
    return floor.calls.call((stampOf) => {
      const stamp = stampOf();
      return listedOn(floor).map(({ records }) => records.ticker(stamp));
    });
  }

  depth(query: DepthQuery): Observable<Depth> {
    const floor = this.#floor;
    return floor.calls.call((stampOf) =>
      marketOn(floor, query.market).records.depth(query, stampOf()),
    );
  }

  trades(query: { market: string; since?: string }): Observable<readonly Trade[]> {
    const floor = this.#floor;
    return floor.calls.call((stampOf) =>
      marketOn(floor, query.market).records.trades(query.since, stampOf().receivedTime),
    );
  }

  candles(query: CandleQuery): Observable<readonly Candle[]> {
    const floor = this.#floor;
    return floor.calls.call((stampOf) =>
      marketOn(floor, query.market).records.candles(query, stampOf()),
    );
  }
}
