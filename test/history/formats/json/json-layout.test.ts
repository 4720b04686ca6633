import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, Store } from '../../store/fixture.ts';

const T = 1_700_000_040_000;
const TRADES = [
  { timestamp: T + 1, trade_id: '8', price: '100.4', amount: '3', taker_side_sell: true },
  { timestamp: T, trade_id: '7', price: '100.5', amount: '2', taker_side_sell: false },
];
const ROWS = [
  [T, Number.NaN, 100.5, 2, 1],
  [T + 1, Number.NaN, 100.4, 3, -1],
];
const BARS = [0, 1].map((minute) => ({ t: T + minute * 60_000, o: 1, h: 3, l: 0.5, c: 2, v: 10 }));

function answered(data: unknown, name = 'answer.json') {
  const store = new Store();
  return { store, file: store.file(name, JSON.stringify(data)) };
}

describe('jsonLayout', () => {
  it.each([
    ['Kaiko', { query: { instrument: 'btc-usd' }, time: 'x', data: TRADES, result: 'success' }],
    ['what is around first', { result: { ok: true, symbol: 'BTCUSD', rows: TRADES } }],
    ['a key with signs that are escaped', { symbol: 'BTCUSD', 'a "\\[ b': { c: TRADES } }],
    ['the name of the list', { result: { 'BTC/USD': TRADES, last: 'x' } }],
    ['the rows', { data: TRADES.map((trade) => ({ ...trade, symbol: 'btc-usd' })), symbol: 'X' }],
  ])('finds rows and their market in an answer: %s', async (_what, data) => {
    const { store, file } = answered(data);
    expect(await store.told(file)).toEqual([]);
    expect(await rowsOf(store.dataset('local.btc_usd.trades'))).toEqual(ROWS);
  });

  it('finds candles with names in an answer with a code', async () => {
    const { store, file } = answered({
      code: 0,
      result: { data: BARS, instrument_name: 'A_USDT' },
    });
    expect((await store.import(file)).id).toBe('local.a_usdt.1min');
  });

  it('takes NaN for a number, as Python writes it', async () => {
    const store = new Store();
    const rows = BARS.map((bar) => JSON.stringify(bar)).join();
    const text = `[${rows.replace('"v":10', '"v":NaN')}]`;
    expect(await store.told(store.file('btcusd.json', text))).toEqual([
      expect.stringContaining('btcusd.json holds 1 of 2 candles without a volume: 0 is taken'),
    ]);
    expect((await rowsOf(store.dataset('local.btc_usd.1min'))).map((row) => row[5])).toEqual([
      0, 10,
    ]);
  });

  it('reads an answer that memory would not hold whole', async () => {
    const rows = Array.from({ length: 12_000 }, (_, at) => ({
      ...{ timestamp: T + at, price: '100', amount: '1', side: 'buy' },
      note: 'x'.repeat(4_000),
    }));
    const { store, file } = answered({ symbol: 'BTCUSD', data: rows });
    expect(await store.import(file)).toMatchObject({ id: 'local.btc_usd.trades', rows: 12_000 });
  });

  it('refuses an object whose rows do not show before memory runs out', async () => {
    const { store, file } = answered({ note: 'x'.repeat(17_000_000), data: TRADES }, 'btcusd.json');
    await expect(store.import(file)).rejects.toThrow(
      'Cannot import btcusd.json: it holds an object of more than 16 MB, a list of rows or a row a ' +
        'line is wanted',
    );
  });

  it.each([
    [{ bars: { 'BTC/USD': BARS, 'ETH/USD': BARS } }, 'several lists of rows (BTC/USD, ETH/USD)'],
    [{ asks: [['1', '2']], bids: [['1', '2']] }, 'several lists of rows (asks, bids), one is'],
    [{ t: [1], o: [1, 2], h: [1] }, 'a list for each column (t, o, h), a list of rows is wanted'],
    [[{ t: [1], o: [1] }], 'a list for each column (t, o), a list of rows is wanted'],
    [
      { result: [{ timestamp: [1], quote: [{ open: [1] }] }] },
      'for each column (timestamp, quote)',
    ],
    [{ error: [], result: { XXBTZUSD: [], last: '0' } }, 'it holds no row'],
  ])('refuses what has no one list of rows: %j', async (data, message) => {
    const { store, file } = answered(data);
    await expect(store.import(file)).rejects.toThrow(message);
  });
});

describe('jsonLayout, of answers behind each other,', () => {
  const note = 'x'.repeat(70_000);
  const first = { symbol: 'BTCUSD', data: [{ ...TRADES[1], note }] };
  const imported = (...others: readonly object[]) => {
    const text = [first, ...others].map((one) => `${JSON.stringify(one)}\n`).join('');
    return datasetOf('pages.json', text);
  };

  it.each([undefined, 2])('reads the rows of short ones, indented by %j', async (indent) => {
    const answers = TRADES.toReversed().map((trade) => ({ symbol: 'BTCUSD', data: [trade] }));
    const text = answers.map((answer) => JSON.stringify(answer, undefined, indent)).join('');
    expect(await rowsOf(await datasetOf('pages.json', text))).toEqual(ROWS);
  });

  it('reads the rows of all', async () => {
    const second = { symbol: 'BTCUSD', data: [TRADES[0]] };
    expect(await rowsOf(await imported(second, { ...second, data: null }))).toEqual(ROWS);
  });

  it.each([
    [{ symbol: 'ETHUSD', data: TRADES }, 'it holds answers of BTCUSD, ETHUSD, one market a file'],
    [{ code: 429, message: 'slow down' }, 'object 2 of it has no "data", rows in each are wanted'],
    [{ symbol: 'BTCUSD', rows: TRADES }, 'object 2 of it has no "data", rows in each are wanted'],
  ])('refuses what would be lost, or be of another market: %j', async (second, message) => {
    await expect(imported(second)).rejects.toThrow(`Cannot import pages.json: ${message}`);
  });
});
