import type { Candle, Depth, Market, Ticker, Trade } from '../../../../src/domain/index.ts';
import { makeMarket } from '../../../domain/fixture.ts';

/** 2022-02-23 10:10:10 UTC. */
export const START_MS = 1_645_611_010_000;

export const BTC_USDT = makeMarket({ minAmount: 0.0005, minSize: 5 });
export const SHIB_BTC: Market = {
  id: 'shib_btc',
  base: 'shib',
  quote: 'btc',
  priceScale: 10,
  amountScale: 0,
  minAmount: 1,
  minSize: 0.0000001,
};

export const TICKER: Ticker = {
  market: 'btc_usdt',
  bid: 29039.24,
  ask: 29056.69,
  last: 29046.17,
  open: 28598.8,
  high: 29249.63,
  low: 28527.54,
  volume: 4499.6492,
  change: 0.0157,
  exchangeTime: 1_653_781_987_181,
  receivedTime: START_MS,
};

export const DEPTH: Depth = {
  market: 'btc_usdt',
  asks: [
    [29056.69, 0.5],
    [29057, 1],
  ],
  bids: [
    [29039.24, 0.0000001],
    [29039, 2],
  ],
  exchangeTime: 1_653_997_711_250,
  receivedTime: START_MS,
};

export const TRADE: Trade = {
  market: 'btc_usdt',
  id: '2796890056',
  price: 29029.5,
  amount: 0.038,
  side: 'sell',
  exchangeTime: 1_653_997_711_250,
  receivedTime: START_MS,
};

export const CANDLE: Candle = {
  market: 'btc_usdt',
  interval: '1min',
  openTime: 1_653_997_680_000,
  open: 29000,
  high: 29100.5,
  low: 28999,
  close: 29050,
  volume: 12.5,
  closed: true,
  exchangeTime: 1_653_997_680_000,
  receivedTime: START_MS,
};
