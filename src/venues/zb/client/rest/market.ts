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
 * Least pause between two looks for the name of a symbol that no market had. Our choice: markets are
 * listed on some days, and one that has gone may stand in the tickers for long.
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

  /** Learns the names of all markets. One that is known stays so where they cannot be read again. */
  function seekNames(): Observable<unknown> {
    namesSoughtMs = elapsedMs(clock);
    return names === undefined ? markets() : markets().pipe(catchError(() => of(undefined)));
  }

  /** Whether a symbol has no name yet, and it is time to look for one. */
  function mustSeekNames(json: unknown): boolean {
    const isTime = names === undefined || elapsedMs(clock) - namesSoughtMs >= NAMES_PAUSE_MS;
    return isTime && hasUnknownSymbols(json, names ?? []);
  }

  /** Where an answer leaves underscores out, names that are missing are learnt, then it is asked again. */
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

/** Levels a side that are asked for by default, the most there are. Source: contract, Limits. */
const DEPTH_SIZE = 50;

function depthParameters({ market, size, merge }: DepthQuery): Query {
  if (merge === undefined) return { market, size: size ?? DEPTH_SIZE };
  return { market, size, merge: plainNumber(merge) };
}
