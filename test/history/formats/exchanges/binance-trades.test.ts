import { expect, it } from 'vitest';
import { datasetOf, rowsOf, START } from '../../store/fixture.ts';

const TRADE = { id: 7, price: '2', qty: '3', quoteQty: '6', time: START, isBuyerMaker: true };

it.each([
  ['binance', { ...TRADE, isBestMatch: true }],
  ['binance-futures', TRADE],
  ['binance-futures', { ...TRADE, isRPITrade: false }],
  // MEXC.
  ['local', { ...TRADE, isBestMatch: true, tradeType: 'ASK' }],
])(
  'binanceTrades are told from those of futures and of others by their names: %s',
  async (source, trade) => {
    expect((await datasetOf('BTCUSDT.json', JSON.stringify([trade]))).id).toBe(
      `${source}.btc_usdt.trades`,
    );
  },
);

const AGGREGATE = { a: 26129, p: '42000.5', q: '0.25', f: 27781, l: 27781, T: START, m: true };

it.each([
  ['BTCUSDT.json', [{ ...AGGREGATE, M: true }], 'binance.btc_usdt.trades'],
  ['BTCUSDT.json', [AGGREGATE], 'binance-futures.btc_usdt.trades'],
  ['aggTrade.json', [{ e: 'aggTrade', E: START + 3, s: 'ETHBTC', ...AGGREGATE }], 'eth_btc.trades'],
])('binanceTrades takes aggTrades as Binance answers: %s', async (name, trades, id) => {
  const dataset = await datasetOf(name, JSON.stringify(trades));
  expect(dataset.id).toContain(id);
  expect(await rowsOf(dataset)).toEqual([[START, Number.NaN, 42000.5, 0.25, -1]]);
});
