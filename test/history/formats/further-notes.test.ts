import { expect, it } from 'vitest';
import { rowsOf, START, Store, toldOf } from '../store/fixture.ts';

const PRICES = { open: '5', high: '6', low: '4', close: '5', volume: '9' };

it.each([
  ['America/New_York', '2024-01-31 10:0', true],
  ['UTC', '2024-01-31 10:0', false],
  ['America/New_York', '2024-01-3', false],
])(
  'furtherNotes tell a zone %s that times beginning with %s may be of',
  async (zone, time, isTold) => {
    const values = [0, 1].map((at) => ({ datetime: `${time}${at}`, ...PRICES }));
    const text = JSON.stringify({ meta: { symbol: 'AAPL', exchange_timezone: zone }, values });
    const told = await toldOf('aapl.json', text, { market: 'aapl_usd' });
    const note = `aapl.json names the zone ${zone}, its times have none and are taken for UTC`;
    expect(told).toEqual(isTold ? [note] : []);
  },
);

it.each([
  ['Gmt time,Ask,Bid,AskVolume,BidVolume', '1.1,1,0.75,1.5', [1, 1_500_000, 1.1, 750_000]],
  ['Gmt time,Open,High,Low,Close,Volume', '1,1.2,0.9,1.1,0.1', [1, 1.2, 0.9, 1.1, 100_000]],
])(
  'furtherNotes tell that Dukascopy counts millions, which can be converted: %s',
  async (head, row, read) => {
    const store = new Store();
    const lines = ['00:00', '00:01'].map((clock) => `31.01.2024 ${clock}:00.000,${row}\n`);
    const file = store.file('EURUSD.csv', `${head}\n${lines.join('')}`);
    expect(await store.told(file)).toEqual([
      'EURUSD.csv is of Dukascopy, which counts amounts of currencies in millions; --contract-size ' +
        '1000000 makes units of them',
    ]);
    const options = { contractSize: 1_000_000, source: 'dukascopy' };
    expect(await store.told(file, { ...options, source: 'told' })).toEqual([]);
    const [first = []] = await rowsOf(await store.import(file, options));
    expect(first.slice(-read.length)).toEqual(read);
  },
);

it('furtherNotes tell that volumes of GeckoTerminal are in US dollars', async () => {
  const rows = [0, 60].map((second) => [START / 1_000 + second, 5, 6, 4, 5, 900]);
  const data = { id: 'x', type: 'ohlcv_request_response', attributes: { ohlcv_list: rows } };
  expect(await toldOf('weth_usdc.json', JSON.stringify({ data }))).toEqual([
    'weth_usdc.json is of GeckoTerminal, whose volumes are in US dollars: backtest.fill.volumeCap ' +
      'means nothing with them',
  ]);
});
