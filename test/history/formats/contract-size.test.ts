import { describe, expect, it } from 'vitest';
import { isContractSize } from '../../../src/history/formats/contract-size.ts';
import type { Mapping } from '../../../src/history/formats/mapping.ts';
import { candles, csv, datasetOf, rowsOf, Store } from '../store/fixture.ts';

const T = 1_700_000_040_000;
const HEADING = 'exchange,symbol,timestamp,local_timestamp';
const SWAP = `okex-swap,BTC-USDT-SWAP,${T}000,${T}000`;
const TRADES = `${HEADING},id,side,price,amount\n${SWAP},a,buy,100,7\n${SWAP},b,buy,100,0.3\n`;

describe('isContractSize', () => {
  it.each([
    [0.01, true],
    [1e7, true],
    [1e-8, true],
    [0, false],
    [-1, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [0.123456789012, false],
  ])('of %d is %j', (size, is) => {
    expect(isContractSize(size)).toBe(is);
  });
});

describe('importFiles, by the size of a contract,', () => {
  it('multiplies amounts as decimals, and says no more of their unit', async () => {
    const store = new Store();
    const file = store.file('trades.csv', TRADES);
    expect(await store.told(file, { contractSize: 0.1 })).toEqual([]);
    const dataset = store.dataset('okex-swap.btc_usdt.trades');
    expect((await rowsOf(dataset)).map(([, , , amount]) => amount)).toEqual([0.7, 0.03]);
    expect(dataset.sources).toMatchObject([{ contractSize: 0.1 }]);
    expect(dataset.sources[0]).not.toHaveProperty('amountUnit');
    expect((await store.check(dataset.id)).findings).toEqual([]);
  });

  it('multiplies those of quotes and of books', async () => {
    const store = new Store();
    const quotes = `${HEADING},ask_amount,ask_price,bid_price,bid_amount\n${SWAP},5,101,100,7\n`;
    const book = `${HEADING},is_snapshot,side,price,amount\n${SWAP},true,bid,100,7\n`;
    const options = { contractSize: 0.01 };
    const [quote] = await rowsOf(await store.import(store.file('q.csv', quotes), options));
    expect(quote).toEqual([T, T, 100, 0.07, 101, 0.05]);
    const [level] = await rowsOf(await store.import(store.file('b.csv', book), options));
    expect(level!.at(-1)).toBe(0.07);
  });

  it('multiplies volumes by a mapping, an empty one too', async () => {
    const store = new Store();
    const columns = { time: 1, open: 2, high: 3, low: 4, close: 5, volume: 6 };
    const mapping: Mapping = { kind: 'candles', market: 'btc_usdt', contractSize: 0.001, columns };
    const rows = candles(0, 3).map((row, at) => (at === 1 ? [...row.slice(0, 5), ''] : row));
    const file = store.file('x.csv', csv(rows));
    const dataset = await store.import(file, { mapping });
    expect((await rowsOf(dataset)).map((row) => row[5])).toEqual([0.01, 0, 0.01]);
    const twice = await store.import(file, { mapping, contractSize: 2, overlap: 'replace' });
    expect((await rowsOf(twice)).map((row) => row[5])).toEqual([20, 0, 20]);
  });

  it.each([
    ['bitmex,XBTUSD', 'US dollars'],
    ['huobi-dm-swap,BTC-USD', 'inverse contracts'],
  ])('refuses %s, whose contracts are worth another amount at each price', async (of, unit) => {
    const text = TRADES.replaceAll('okex-swap,BTC-USDT-SWAP', of);
    await expect(datasetOf('trades.csv', text, { contractSize: 1 })).rejects.toThrow(
      `Cannot import trades.csv: its amounts count ${unit}, which are worth another amount of the ` +
        'base currency at each price, a file without a contract size is wanted',
    );
  });

  it('refuses a raw recording', async () => {
    await expect(
      datasetOf('btcusdt.txt', `${T}000000 {"s":"BTCUSDT","e":"trade"}\n`, { contractSize: 1 }),
    ).rejects.toThrow(
      'Cannot import btcusdt.txt: it is a raw recording, no contract size is wanted',
    );
  });
});
