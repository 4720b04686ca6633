import type { Candle, Depth, Level, Market, Ticker, Trade } from '../../../../domain/index.ts';
import { plainNumber } from '../../wire/numbers.ts';
import type { Dialect } from '../dialect.ts';

/** The trading rules of all markets, keyed by market. Source: contract, Market configuration. */
export function renderMarkets(markets: Iterable<Market>): string {
  const entries = Array.from(markets, (market) => {
    const { priceScale, amountScale, minAmount, minSize } = market;
    const minima = `"minAmount":${plainNumber(minAmount)},"minSize":${plainNumber(minSize)}`;
    return `"${market.id}":{"amountScale":${amountScale},"priceScale":${priceScale},${minima}}`;
  });
  return `{${entries.join(',')}}`;
}

/** A ticker: every value a string, the change in percent with two places as it was recorded. */
export function renderTicker(ticker: Ticker): string {
  return (
    `{"high":"${plainNumber(ticker.high)}","vol":"${plainNumber(ticker.volume)}","last":"${plainNumber(ticker.last)}"` +
    `,"low":"${plainNumber(ticker.low)}","buy":"${plainNumber(ticker.bid)}","sell":"${plainNumber(ticker.ask)}"` +
    `,"open":"${plainNumber(ticker.open)}","riseRate":"${riseRate(ticker)}"}`
  );
}

/** The 24-hour change in percent with two places: `1.57`. */
export function riseRate(ticker: Ticker): string {
  return (ticker.change * 100).toFixed(2);
}

/** Levels as `[[price, amount], ...]`. */
export function renderLevels(levels: readonly Level[]): string {
  let text = '[';
  for (const [price, amount] of levels) {
    text += text.length === 1 ? '[' : ',[';
    text += `${plainNumber(price)},${plainNumber(amount)}]`;
  }
  return `${text}]`;
}

/** The two sides of a depth as fields, without braces around them. */
export function renderSides({ asks, bids }: Depth, dialect: Dialect): string {
  return `"asks":${renderLevels(dialect.asks(asks))},"bids":${renderLevels(bids)}`;
}

/**
 * Public trades as an array. `trade_type` has the taker's side as bid or ask, `type` as buy or
 * sell.
 */
export function renderTrades(trades: readonly Trade[], dialect: Dialect): string {
  return `[${trades.map((trade) => renderTrade(trade, dialect)).join(',')}]`;
}

function renderTrade(trade: Trade, dialect: Dialect): string {
  const book = trade.side === 'buy' ? 'bid' : 'ask';
  return (
    `{"date":${dialect.time(trade.exchangeTime)},"amount":${dialect.tradeNumber(trade.amount)}` +
    `,"price":${dialect.tradeNumber(trade.price)},"trade_type":"${book}","type":"${trade.side}"` +
    `,"tid":${trade.id}}`
  );
}

/** Candles as `[[ms, open, high, low, close, volume], ...]`, oldest first. */
export function renderCandles(candles: readonly Candle[]): string {
  const rows = candles.map(({ openTime, open, high, low, close, volume }) =>
    [openTime, open, high, low, close, volume].map(plainNumber).join(','),
  );
  return rows.length === 0 ? '[]' : `[[${rows.join('],[')}]]`;
}
