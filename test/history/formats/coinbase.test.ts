import { expect, it } from 'vitest';
import { json, rowsOf, Store } from '../store/fixture.ts';

const T = Date.UTC(2024, 0, 31, 10);
const TRADES = [
  { trade_id: 74, side: 'buy', size: '0.01', price: '100.0', time: '2024-01-31T10:00:01.5Z' },
  { trade_id: 73, side: 'sell', size: '0.02', price: '101.0', time: '2024-01-31T10:00:00Z' },
];

it.each([
  ['JSON', json(TRADES)],
  ['CSV', [Object.keys(TRADES[0]!), ...TRADES.map((trade) => Object.values(trade))].join('\n')],
])(
  'coinbaseTrades are turned round, for their sides are those of makers: %s',
  async (_form, text) => {
    const store = new Store();
    const file = store.file('BTC-USD', `${text}\n`);
    expect(await store.told(file)).toEqual([
      'Coinbase tells the sides of makers, which are turned round: its buy is a sell here (a ' +
        'mapping keeps those of another origin)',
    ]);
    expect(await rowsOf(store.dataset('coinbase.btc_usd.trades'))).toEqual([
      [T, Number.NaN, 101, 0.02, 1],
      [T + 1500, Number.NaN, 100, 0.01, -1],
    ]);
  },
);

it('coinbaseTrades are no other trades with the same columns', async () => {
  const store = new Store();
  const stamps = TRADES.map((trade) => ({ ...trade, time: Date.parse(trade.time) }));
  const symbols = TRADES.map((trade) => ({ ...trade, symbol: 'BTC-USD' }));
  for (const [at, trades] of [stamps, symbols].entries()) {
    const told = await store.told(store.file('BTC-USD.json', json(trades)), { source: `s${at}` });
    expect(told).toEqual([]);
    expect((await rowsOf(store.dataset(`s${at}.btc_usd.trades`))).map((row) => row[4])).toEqual([
      -1, 1,
    ]);
  }
});
