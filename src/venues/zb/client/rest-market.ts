import { type Observable, of, switchMap, tap } from 'rxjs';
import type { Market, Ticker } from '../../../domain/index.ts';
import type { CandleQuery, DepthQuery, MarketDataPort } from '../../../exchange/index.ts';
import type { Clock } from '../../../kernel/index.ts';
import {
  fieldsOf,
  hasSymbolsOnly,
  PUBLIC_PATHS,
  plainNumber,
  readCandles,
  readDepth,
  readMarkets,
  readTicker,
  readTickers,
  readTrades,
  targetOf,
} from '../wire/index.ts';
import { send } from './call.ts';
import type { HttpTransport } from './transport.ts';

interface MarketOptions {
  readonly http: HttpTransport;
  readonly clock: Clock;
  /** The exchange's clock minus ours, in milliseconds. */
  readonly timeOffsetMs: number;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Public market data over REST, in either dialect. Source: contract, Public market data. */
export function restMarket({ http, clock, timeOffsetMs }: MarketOptions): MarketDataPort {
  let names: readonly string[] | undefined;
  const received = (market: string) => ({ market, receivedTime: clock.now() });

  function get<T>(path: keyof typeof PUBLIC_PATHS, query: Query, read: (json: unknown) => T) {
    const target = () => targetOf(PUBLIC_PATHS[path], query);
    return send(http, { action: `read ${path}`, target, read });
  }

  function markets(): Observable<readonly Market[]> {
    return get('markets', {}, readMarkets).pipe(
      tap((all) => {
        names = all.map(({ id }) => id);
      }),
    );
  }

  /** Where an answer leaves underscores out, the names of all markets are learnt, then it is asked again. */
  function tickers(): Observable<readonly Ticker[]> {
    return get('tickers', {}, (json) =>
      names === undefined && hasSymbolsOnly(json)
        ? undefined
        : readTickers(json, { markets: names ?? [], receivedTime: clock.now() }),
    ).pipe(switchMap((all) => (all === undefined ? markets().pipe(switchMap(tickers)) : of(all))));
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
          nowMs: clock.now() + timeOffsetMs,
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
