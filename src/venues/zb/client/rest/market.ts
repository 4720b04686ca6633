import { catchError, type Observable, of, switchMap, tap } from 'rxjs';
import type { Ticker } from '../../../../domain/index.ts';
import type {
  CandleQuery,
  DepthQuery,
  MarketDataPort,
  MarketList,
} from '../../../../exchange/index.ts';
import { type Clock, elapsedMs, MINUTE_MS } from '../../../../kernel/index.ts';
import {
  fieldsOf,
  hasUnknownSymbols,
  PUBLIC_PATHS,
  plainNumber,
  readCandles,
  readDepth,
  readTicker,
  readTrades,
  targetOf,
} from '../../wire/index.ts';
import type { ExchangeTime } from '../exchange-time.ts';
import type { LegibleRows } from '../legible.ts';
import type { HttpTransport } from '../network/transport.ts';
import { send } from './call.ts';

interface MarketOptions {
  readonly http: HttpTransport;
  readonly clock: Clock;
  readonly time: ExchangeTime;
  readonly rows: LegibleRows;
}

/**
 * Least pause between two requests of the markets because of an unknown symbol. Our choice: markets
 * are seldom listed, and a delisted one may stay in the tickers for long.
 */
const NAMES_PAUSE_MS = MINUTE_MS;

type Query = Readonly<Record<string, string | number | undefined>>;

/** Public market data over REST, in either dialect. Source: contract, Public market data. */
export function restMarket({ http, clock, time, rows }: MarketOptions): MarketDataPort {
  let names: readonly string[] | undefined;
  let namesSoughtMs = Number.NEGATIVE_INFINITY;
  const received = (market: string) => ({ market, receivedTime: clock.now() });

  function get<T>(path: keyof typeof PUBLIC_PATHS, query: Query, read: (json: unknown) => T) {
    const target = () => targetOf(PUBLIC_PATHS[path], query);
    return send(http, { action: `read ${path}`, target, read });
  }

  function markets(): Observable<MarketList> {
    return get('markets', {}, (json) => rows.markets(json)).pipe(
      tap((all) => {
        names = [...all.map(({ id }) => id), ...(all.illegible ?? [])];
      }),
    );
  }

  /** Reads the names of all markets. If they cannot be read again, the known ones stay. */
  function seekNames(): Observable<unknown> {
    namesSoughtMs = elapsedMs(clock);
    return names === undefined ? markets() : markets().pipe(catchError(() => of(undefined)));
  }

  /** Whether a symbol has no known name, and it is time to read the markets again. */
  function mustSeekNames(json: unknown): boolean {
    const isTime = names === undefined || elapsedMs(clock) - namesSoughtMs >= NAMES_PAUSE_MS;
    return isTime && hasUnknownSymbols(json, names ?? []);
  }

  /** If symbols without underscore are unknown, reads the markets' names and asks once more. */
  function tickers(): Observable<readonly Ticker[]> {
    return get('tickers', {}, (json) =>
      mustSeekNames(json)
        ? undefined
        : rows.tickers(json, { markets: names ?? [], receivedTime: clock.now() }),
    ).pipe(
      switchMap((all) => (all === undefined ? seekNames().pipe(switchMap(tickers)) : of(all))),
    );
  }

  return {
    markets,
    tickers,
    ticker: (market) => get('ticker', { market }, (json) => readTicker(json, received(market))),
    depth: (query) =>
      get('depth', depthParameters(query), (json) => readDepth(json, received(query.market))),
    trades: ({ market, since }) =>
      get('trades', { market, since }, (json) => readTrades(json, received(market))),
    candles: (query: CandleQuery) => {
      const { market, interval, since, size } = query;
      return get('candles', { market, type: interval, since, size }, (json) =>
        readCandles(fieldsOf(json, 'candles').data, {
          ...received(market),
          interval,
          nowMs: time.now(),
        }),
      );
    },
  };
}

/** Default number of levels per side, the most there are. Source: contract, Limits. */
const DEPTH_SIZE = 50;

function depthParameters({ market, size, merge }: DepthQuery): Query {
  if (merge === undefined) return { market, size: size ?? DEPTH_SIZE };
  return { market, size, merge: plainNumber(merge) };
}
