import {
  combineLatest,
  filter,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  startWith,
  withLatestFrom,
} from 'rxjs';
import {
  type Candle,
  type Depth,
  INTERVALS,
  type Interval,
  type Market,
  type Ticker,
  type Trade,
} from '../../../../domain/index.ts';
import { CODES, type ExchangeHost } from '../../../../exchange/index.ts';
import { symbolOf } from '../../wire/fields.ts';
import { plainNumber } from '../../wire/numbers.ts';
import { SUCCESS_MESSAGE } from '../answers.ts';
import type { Dialect } from '../dialect.ts';
import type { Markets } from '../markets.ts';
import {
  depthFields,
  renderCandles,
  renderLevels,
  renderMarkets,
  renderTicker,
  renderTrades,
  riseRate,
} from '../render/market-data.ts';

/** A public channel as frames: `snapshot` for who joins, `live` from then on. */
export interface PublicFeed {
  readonly snapshot: Observable<string>;
  readonly live: Observable<string>;
}

/** What the feed of one market's channel is made from. */
export interface FeedParts {
  readonly host: ExchangeHost;
  readonly dialect: Dialect;
  readonly market: Market;
  /** The channel's name; it is repeated in every frame. */
  readonly channel: string;
  /** Levels a side of a quick depth. */
  readonly length: number;
}

type FeedMaker = (parts: FeedParts) => PublicFeed;

/** Candles with which a kline channel begins. */
const CANDLES_FIRST = 100;

function tickerFeed({ host, market, channel }: FeedParts): PublicFeed {
  const render = (ticker: Ticker) =>
    `{"date":"${ticker.exchangeTime}","ticker":${renderTicker(ticker)},${tail('ticker', channel)}}`;
  return {
    snapshot: host.market.ticker(market.id).pipe(map(render)),
    live: host.marketFeed.ticker(market.id).pipe(map(render)),
  };
}

function depthFeed({ host, market, channel, dialect }: FeedParts): PublicFeed {
  const render = (depth: Depth) => {
    const { sides, timestamp } = depthFields(depth, dialect);
    return `{${sides},${tail('depth', channel)},${timestamp}}`;
  };
  return {
    snapshot: host.market.depth({ market: market.id }).pipe(map(render)),
    live: host.marketFeed.depth(market.id).pipe(map(render)),
  };
}

function tradesFeed({ host, market, channel, dialect }: FeedParts): PublicFeed {
  const render = (trades: readonly Trade[]) =>
    `{"data":${renderTrades(trades, dialect)},${tail('trades', channel)}}`;
  return {
    snapshot: host.market.trades({ market: market.id }).pipe(map(render)),
    live: host.marketFeed.trades(market.id).pipe(
      filter((trades) => trades.length > 0),
      map(render),
    ),
  };
}

/** Frames on every depth; the day's summary and the last trade are the newest known by then. */
function quickDepthFeed({ host, market: { id }, channel, length }: FeedParts): PublicFeed {
  const render = ([depth, ticker, trade]: readonly [Depth, Ticker, Trade | undefined]) => {
    const symbol = symbolOf(id);
    return (
      `{"lastTime":${depth.exchangeTime},${tail('quickDepth', channel)}` +
      `,"currentPrice":${plainNumber(trade?.price ?? ticker.last)}` +
      `,"listDown":${renderLevels(depth.bids.slice(0, length))}` +
      `,"listUp":${renderLevels(depth.asks.slice(0, length))},"market":"${symbol}"` +
      `,"high":${plainNumber(ticker.high)},"low":${plainNumber(ticker.low)}` +
      `,"rate":"${riseRate(ticker)}","currentIsBuy":${trade?.side !== 'sell'}` +
      `,"dayNumber":${plainNumber(ticker.volume)},"totalBtc":${plainNumber(ticker.volume)}` +
      `,"showMarket":"${symbol}"}`
    );
  };
  const newest = map((trades: readonly Trade[]) => trades.at(-1));
  const tickerNow = host.market.ticker(id);
  const tradeNow = host.market.trades({ market: id }).pipe(newest);
  const tickers = merge(tickerNow, host.marketFeed.ticker(id));
  const lastTrades = merge(tradeNow, host.marketFeed.trades(id).pipe(newest));
  return {
    snapshot: combineLatest([host.market.depth({ market: id }), tickerNow, tradeNow]).pipe(
      map(render),
    ),
    live: host.marketFeed
      .depth(id)
      .pipe(withLatestFrom(tickers, lastTrades.pipe(startWith(undefined))), map(render)),
  };
}

function candlesFeed(interval: Interval): FeedMaker {
  return ({ host, market, channel }) => {
    const render = (candles: readonly Candle[]) =>
      `{"datas":{"data":${renderCandles(candles)}},"channel":"${channel}","isSuc":true}`;
    const query = { market: market.id, interval };
    return {
      snapshot: host.market.candles({ ...query, size: CANDLES_FIRST }).pipe(map(render)),
      live: host.marketFeed.candles(query).pipe(map((candle) => render([candle]))),
    };
  };
}

/** The two fields that name a frame's kind. */
function tail(dataType: string, channel: string): string {
  return `"dataType":"${dataType}","channel":"${channel}"`;
}

/** What follows the symbol in a channel's name. Source: wire facts, WebSocket, public channels. */
const FEEDS: ReadonlyMap<string, FeedMaker> = new Map([
  ['ticker', tickerFeed],
  ['depth', depthFeed],
  ['trades', tradesFeed],
  ['quick_depth', quickDepthFeed],
  ...INTERVALS.map((interval) => [`kline_${interval}`, candlesFeed(interval)] as const),
]);

/** The feed behind a public channel's name, undefined for a name of none. */
export function publicFeed(
  { channel, length }: { readonly channel: string; readonly length: number },
  parts: { readonly host: ExchangeHost; readonly dialect: Dialect; readonly markets: Markets },
): PublicFeed | undefined {
  const { host, dialect, markets } = parts;
  if (channel === 'markets') return { snapshot: of(marketsFrame(markets)), live: NEVER };
  const split = channel.indexOf('_');
  const maker = FEEDS.get(channel.slice(split + 1));
  const market = markets.ofSymbol(channel.slice(0, split));
  if (maker === undefined || market === undefined) return undefined;
  return maker({ host, dialect, market, channel, length });
}

/** The rules of all markets, once. The envelope is that of the exchange's other answers on a socket. */
function marketsFrame(markets: Markets): string {
  const data = renderMarkets(markets.all());
  const head = `"code":${CODES.success},"success":true,"message":"${SUCCESS_MESSAGE}"`;
  return `{"no":"0",${head},"dataType":"markets","channel":"markets","data":${data}}`;
}
