import { of } from 'rxjs';
import { INTERVALS } from '../../../domain/index.ts';
import { publicOperation, tableOf } from './operation.ts';
import {
  defaulting,
  digits,
  integer,
  market,
  oneOf,
  optional,
  positive,
  required,
} from './parameters.ts';
import {
  renderCandles,
  renderMarkets,
  renderSides,
  renderTicker,
  renderTrades,
} from './render/market-data.ts';

/** Most levels per side, and the default. Source: contract, depth `size`. */
const LEVELS_MAX = 50;
/** Most candles, however many are wanted, and the default. Source: contract, kline. */
const CANDLES_MAX = 1_000;

/** The trading rules of all markets. */
const markets = publicOperation({
  name: 'markets',
  parameters: {},
  handle: (_values, context) => of(context.markets),
  render: (all) => renderMarkets(all.all()),
});

/** The 24-hour summary of one market. */
const ticker = publicOperation({
  name: 'ticker',
  parameters: { market: required(market) },
  handle: (values, context) => context.market.ticker(values.market.id),
  render: (answer) => `{"date":"${answer.exchangeTime}","ticker":${renderTicker(answer)}}`,
});

/** The 24-hour summaries of all markets, keyed by market as the dialect writes it. */
const allTicker = publicOperation({
  name: 'allTicker',
  parameters: {},
  handle: (_values, context) => context.market.tickers(),
  render: (tickers, { dialect, markets }) => {
    const entries = tickers.flatMap((ticker) => {
      const market = markets.ofId(ticker.market);
      return market ? [`"${dialect.tickerKey(market)}":${renderTicker(ticker)}`] : [];
    });
    return `{${entries.join(',')}}`;
  },
});

/** The top of the book, or five levels per side merged to a step. */
const depth = publicOperation({
  name: 'depth',
  parameters: {
    market: required(market),
    size: defaulting(integer(1, LEVELS_MAX), LEVELS_MAX),
    merge: optional(positive),
  },
  handle: ({ market: { id }, size, merge }, context) =>
    context.market.depth({ market: id, size, merge }),
  render: (answer, { dialect }) =>
    `{${renderSides(answer, dialect)},"timestamp":${dialect.time(answer.exchangeTime)}}`,
});

/** The newest public trades, or the fifty right after an id. */
const trades = publicOperation({
  name: 'trades',
  parameters: { market: required(market), since: optional(digits) },
  handle: ({ market: { id }, since }, context) => context.market.trades({ market: id, since }),
  render: (answer, { dialect }) => renderTrades(answer, dialect),
});

/** The newest candles of a market, oldest first; without `type` those of one minute. */
const kline = publicOperation({
  name: 'kline',
  parameters: {
    market: required(market),
    type: defaulting(oneOf(INTERVALS), '1min'),
    since: optional(integer(0, Number.MAX_SAFE_INTEGER)),
    size: defaulting(integer(1, Number.MAX_SAFE_INTEGER), CANDLES_MAX),
  },
  handle: ({ market: { id }, type, since, size }, context) =>
    context.market.candles({
      market: id,
      interval: type,
      size: Math.min(size, CANDLES_MAX),
      since,
    }),
  render: (candles, { values }) => {
    const { base, quote } = values.market;
    const names = `"moneyType":"${quote.toUpperCase()}","symbol":"${base.toUpperCase()}"`;
    return `{"data":${renderCandles(candles)},${names}}`;
  },
});

/** Every operation of market data, by the last part of its path. */
export const PUBLIC_OPERATIONS = tableOf([markets, ticker, allTicker, depth, trades, kline]);
