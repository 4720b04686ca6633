import { expect, it } from 'vitest';
import { json, rowsOf, Store } from '../../store/fixture.ts';

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

const TRADE = { trade_id: 7, product_id: 'BTC-USD', price: '100', size: '2', side: 'buy' };

it('coinbaseTrades are turned round as they are pushed, too', async () => {
  const store = new Store();
  const match = { type: 'match', maker_order_id: 'x', taker_order_id: 'y', sequence: 50 };
  const line = JSON.stringify({ ...match, ...TRADE, time: '2024-01-31T10:00:00.028459Z' });
  const file = store.file('matches.jsonl', `${line}\n`);
  expect(await store.told(file)).toEqual([expect.stringContaining('the sides of makers')]);
  const rows = await rowsOf(store.dataset('coinbase.btc_usd.trades'));
  expect(rows.map((row) => row.at(-1))).toEqual([-1]);
});

it('coinbaseTrades of Advanced Trade are for a mapping', async () => {
  const store = new Store();
  const trades = [{ ...TRADE, time: '2024-01-31T10:00:00.028459Z', bid: '', ask: '' }];
  const file = store.file('t.json', JSON.stringify({ trades, best_bid: '99', best_ask: '101' }));
  await expect(store.import(file)).rejects.toThrow('a mapping that tells them is wanted');
  const dataset = await store.import(file, {
    mapping: {
      ...{ kind: 'trades', symbol: 'product_id', sides: { buy: 'sell', sell: 'buy' } },
      columns: { time: 'time', price: 'price', amount: 'size', side: 'side' },
    },
  });
  expect((await rowsOf(dataset)).map((row) => row.at(-1))).toEqual([-1]);
});
