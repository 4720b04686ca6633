import { combineLatest, distinctUntilChanged, map, NEVER, type Observable, startWith } from 'rxjs';
import {
  type Depth,
  INTERVALS,
  type Interval,
  type Ticker,
  type Trade,
} from '../../../../domain/index.ts';
import { CODES } from '../../../../exchange/index.ts';
import { SUCCESS_MESSAGE } from '../../wire/acknowledged.ts';
import { MARKETS_CHANNEL, symbolOf } from '../../wire/fields.ts';
import { plainNumber } from '../../wire/numbers.ts';
import type { Markets } from '../markets.ts';
import {
  renderLevels,
  renderMarkets,
  renderSides,
  renderTicker,
  riseRate,
} from '../render/market-data.ts';
import { type Feed, type FeedParts, tail } from './feed.ts';
import { candlesFeed, tradesFeed } from './history-feeds.ts';
import { newest, type Update, wholeUpdate } from './updates.ts';

function tickerFeed({ host, market, channel }: FeedParts): Observable<Update> {
  return newest(host.market.ticker(market), host.marketFeed.ticker(market)).pipe(
    changes({
      contentOf: renderTicker,
      render: (ticker, content) =>
        `{"date":"${ticker.exchangeTime}","ticker":${content},${tail('ticker', channel)}}`,
    }),
  );
}

function depthFeed({ host, market, channel, dialect }: FeedParts): Observable<Update> {
  return newest(host.market.depth({ market }), host.marketFeed.depth(market)).pipe(
    changes({
      contentOf: (depth) => renderSides(depth, dialect),
      render: ({ exchangeTime }, sides) =>
        `{${sides},${tail('depth', channel)},"timestamp":${dialect.time(exchangeTime)}}`,
    }),
  );
}

/** A frame for every depth, with the newest 24-hour summary and the newest trade known by then. */
function quickDepthFeed({ host, market, channel, length }: FeedParts): Observable<Update> {
  const last = map((trades: readonly Trade[]) => trades.at(-1));
  const states = combineLatest([
    newest(host.market.depth({ market }), host.marketFeed.depth(market)),
    newest(host.market.ticker(market), host.marketFeed.ticker(market)),
    newest(host.market.trades({ market }), host.marketFeed.trades(market)).pipe(last),
  ]);
  return states.pipe(
    distinctUntilChanged(([before], [after]) => before === after),
    changes({
      contentOf: ([depth, ticker, trade]) => quickDepthContent({ depth, ticker, trade, length }),
      render: ([{ exchangeTime }], content) =>
        `{"lastTime":${exchangeTime},${tail('quickDepth', channel)},${content}}`,
    }),
  );
}

/** Source: wire facts, quick_depth: bids highest first, asks lowest first in both dialects. */
function quickDepthContent(state: {
  readonly depth: Depth;
  readonly ticker: Ticker;
  readonly trade: Trade | undefined;
  readonly length: number;
}): string {
  const { depth, ticker, trade, length } = state;
  const symbol = symbolOf(depth.market);
  return (
    `"currentPrice":${plainNumber(trade?.price ?? ticker.last)}` +
    `,"listDown":${renderLevels(depth.bids.slice(0, length))}` +
    `,"listUp":${renderLevels(depth.asks.slice(0, length))},"market":"${symbol}"` +
    `,"high":${plainNumber(ticker.high)},"low":${plainNumber(ticker.low)}` +
    `,"rate":"${riseRate(ticker)}","currentIsBuy":${trade?.side !== 'sell'}` +
    `,"dayNumber":${plainNumber(ticker.volume)},"totalBtc":${plainNumber(ticker.volume)}` +
    `,"showMarket":"${symbol}"`
  );
}

/** Renders states, leaving out those that differ from the one before only in their time. */
function changes<T>({
  contentOf,
  render,
}: {
  /** All of a state except its time. */
  readonly contentOf: (state: T) => string;
  readonly render: (state: T, content: string) => string;
}): (states: Observable<T>) => Observable<Update> {
  return (states) =>
    states.pipe(
      map((state) => ({ state, content: contentOf(state) })),
      distinctUntilChanged((before, after) => before.content === after.content),
      map(({ state, content }) => wholeUpdate(render(state, content))),
    );
}

const candlesOf = (interval: Interval): readonly [string, Feed] => [
  `kline_${interval}`,
  (parts) => candlesFeed(parts, interval),
];

/** What follows the symbol in a channel's name. Source: wire facts, WebSocket, public channels. */
const FEEDS: ReadonlyMap<string, Feed> = new Map([
  ['ticker', tickerFeed],
  ['depth', depthFeed],
  ['trades', tradesFeed],
  ['quick_depth', quickDepthFeed],
  ...INTERVALS.map(candlesOf),
]);

/** The feed for the end of a channel's name; undefined if there is none. */
export function publicFeed(name: string): Feed | undefined {
  return FEEDS.get(name);
}

/** The rules of all markets, once, in the envelope of the exchange's other answers on a socket. */
export function marketsFrames(markets: Markets): Observable<string> {
  const data = renderMarkets(markets.all());
  const head = `"code":${CODES.success},"success":true,"message":"${SUCCESS_MESSAGE}"`;
  return NEVER.pipe(
    startWith(`{"no":"0",${head},${tail('markets', MARKETS_CHANNEL)},"data":${data}}`),
  );
}
