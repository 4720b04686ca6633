import { concat, defer, delay, filter, NEVER, type Observable, of, startWith } from 'rxjs';
import type { Candle, Depth, Interval, Ticker, Trade } from '../domain/index.ts';
import type {
  AccountFeedPort,
  AccountPush,
  BalancePush,
  Connection,
  MarketFeedPort,
  OrderPush,
  Permissions,
} from '../exchange/index.ts';
import type { AccountPushes } from './account-pushes.ts';
import { notPermitted } from './refusals.ts';
import type { SimulatedMarket } from './simulated-market.ts';
import { marketOn, type TradingFloor } from './trading-floor.ts';

/** In process nothing can break; faults of a connection belong to the transport. */
const CONNECTED: Observable<Connection> = concat(
  of({ connected: true, reason: 'in process' }),
  NEVER,
);

/** Lets pushes arrive after the configured latency. */
function arriving<T>(floor: TradingFloor, pushes: Observable<T>): Observable<T> {
  return floor.pushMs === 0 ? pushes : pushes.pipe(delay(floor.pushMs, floor.clock));
}

/** The market data that the simulated exchange pushes. Ticker, depth and candles start at once. */
export class SimulatedMarketFeed implements MarketFeedPort {
  readonly #floor: TradingFloor;

  constructor(floor: TradingFloor) {
    this.#floor = floor;
  }

  connection(): Observable<Connection> {
    return CONNECTED;
  }

  ticker(market: string): Observable<Ticker> {
    return this.#of(market, (on) => on.tickers.pipe(startWith(on.records.ticker(on.stamp()))));
  }

  depth(market: string): Observable<Depth> {
    return this.#of(market, (on) => on.depths.pipe(startWith(on.records.depth({}, on.stamp()))));
  }

  trades(market: string): Observable<readonly Trade[]> {
    return this.#of(market, ({ trades }) => trades);
  }

  candles(query: { market: string; interval: Interval }): Observable<Candle> {
    return this.#of(query.market, (market) => market.candles.of(query.interval));
  }

  #of<T>(id: string, pushes: (market: SimulatedMarket) => Observable<T>): Observable<T> {
    return arriving(
      this.#floor,
      defer(() => {
        const market = marketOn(this.#floor, id);
        return pushes(market).pipe(filter(() => market.isListed));
      }),
    );
  }
}

/** What the simulated exchange pushes to one account. */
export class SimulatedAccountFeed implements AccountFeedPort {
  readonly #floor: TradingFloor;
  readonly #pushes: AccountPushes;
  readonly #permissions: Permissions;

  constructor(
    floor: TradingFloor,
    parts: { readonly pushes: AccountPushes; readonly permissions: Permissions },
  ) {
    this.#floor = floor;
    this.#pushes = parts.pushes;
    this.#permissions = parts.permissions;
  }

  connection(): Observable<Connection> {
    return CONNECTED;
  }

  orders(market: string): Observable<OrderPush> {
    return defer(() => {
      if (!this.#permissions.orders) throw notPermitted('be told of orders');
      marketOn(this.#floor, market);
      return arriving(this.#floor, this.#pushes.orders(market));
    });
  }

  balances(): Observable<BalancePush> {
    return arriving(this.#floor, this.#pushes.balances);
  }

  changes(): Observable<AccountPush> {
    return arriving(this.#floor, this.#pushes.changes);
  }

  crossBalances(): Observable<BalancePush> {
    return arriving(this.#floor, this.#pushes.crossBalances);
  }
}
