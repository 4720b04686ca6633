import { expect, it } from 'vitest';
import { START, Store } from '../store/fixture.ts';

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
    const store = new Store();
    const file = store.file('BTCUSDT.json', JSON.stringify([trade]));
    expect((await store.import(file)).id).toBe(`${source}.btc_usdt.trades`);
  },
);
