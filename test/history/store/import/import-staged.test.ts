import { describe, expect, it } from 'vitest';
import { importFiles } from '../../../../src/history/index.ts';
import { candles, json, rowsOf, Store } from '../fixture.ts';

const T = 1_700_000_040_000;
const BOOKS = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
const TRADES = 'time,id,price,amount,side';

/** Levels of a book as Tardis tells them, one a second. */
function levels(store: Store, name: string, rows: readonly (readonly [number, boolean])[]): string {
  const lines = rows.map(([second, isWhole]) => {
    const stamp = `${T + second * 1_000}000`;
    return `bitstamp,BTCUSD,${stamp},${stamp},${isWhole},bid,${100 + second},6`;
  });
  return store.file(name, `${[BOOKS, ...lines].join('\n')}\n`);
}

/** Trades by their ids and milliseconds. */
function trades(store: Store, name: string, rows: readonly (readonly [number, number])[]): string {
  const lines = rows.map(([id, ms]) => `${T + ms},${id},${100 + id},1,buy`);
  return store.file(`btc_usdt-${name}.csv`, `${[TRADES, ...lines].join('\n')}\n`);
}

const pricesOf = async (store: Store, id: string, column: number): Promise<number[]> =>
  (await rowsOf(store.dataset(id))).map((row) => row[column]!);

describe('importFiles, of several files in any order,', () => {
  it('puts the rows of a book in the order of their files in time', async () => {
    const store = new Store();
    const first = levels(store, 'first.csv', [
      [0, true],
      [1, false],
    ]);
    const second = levels(store, 'second.csv', [
      [2, false],
      [3, false],
    ]);
    const id = 'bitstamp.btc_usd.depth';
    await store.import([second, first]);
    expect(await pricesOf(store, id, 5)).toEqual([100, 101, 102, 103]);
    expect(store.dataset(id).sources.map(({ name }) => name)).toEqual(['first.csv', 'second.csv']);
    expect((await store.check(id)).findings).toEqual([]);
  });

  it('keeps trades of one instant in that order, in whichever files they stand', async () => {
    const store = new Store();
    const first = trades(store, 'first', [
      [1, 5],
      [2, 5],
    ]);
    const second = trades(store, 'second', [
      [3, 5],
      [4, 9],
    ]);
    await store.import([second, first]);
    expect(await pricesOf(store, 'local.btc_usdt.trades', 2)).toEqual([101, 102, 103, 104]);
  });
});

describe('importFiles, of files that overlap each other,', () => {
  const known = candles(0, 5);
  const file = (store: Store, from: number, to: number): string =>
    store.file(`btc_usdt-${from}.json`, json(candles(from, to)));

  it.each([
    ['replace', 0, 4, 3, 8],
    ['append', 2, 8, 6, 9],
    ['append', 2, 6, 4, 9],
  ] as const)('refuses to %s with %i to %i and %i to %i', async (overlap, a, b, c, d) => {
    const store = new Store();
    const before = await store.import(store.file('btc_usdt.json', json(known)));
    const files = [file(store, a, b), file(store, c, d)];
    await expect(importFiles({ root: store.root, files, overlap })).rejects.toThrow(
      `btc_usdt-${c}.json: it begins at `,
    );
    expect(store.dataset(before.id)).toEqual(before);
  });

  it('says of a file that is given twice, by its path or by its content, that it is', async () => {
    const store = new Store();
    const first = file(store, 0, 5);
    const copy = store.file('btc_usdt-copy.json', json(candles(0, 5)));
    await expect(store.import([first, copy, first])).rejects.toThrow(
      `Cannot import ${first}: it is given twice, once is wanted`,
    );
    await expect(store.import([first, copy])).rejects.toThrow(
      'Cannot import btc_usdt-copy.json: it holds the same as btc_usdt-0.json, one of them is wanted',
    );
    expect(store.ids()).toEqual([]);
  });

  it('appends them where that is in the time of what is there', async () => {
    const store = new Store();
    const { id } = await store.import(store.file('btc_usdt.json', json(known)));
    await store.import([file(store, 0, 5), file(store, 3, 8)], { overlap: 'append' });
    expect(await rowsOf(store.dataset(id))).toEqual(candles(0, 8));
  });
});
