import { describe, expect, it } from 'vitest';
import { rowsOf, START, Store } from '../fixture.ts';

type Trade = readonly [id: number | '', ms: number, price: number];

const TRADES: readonly Trade[] = [
  [1, 0, 100],
  [2, 5, 101],
  [3, 5, 101],
  [4, 5, 102],
  [5, 9, 103],
];

function trades(rows: readonly Trade[]): string {
  const lines = rows.map(([id, ms, price]) => `${id},${START + ms},${price},1,buy`);
  return `id,time,price,amount,side\n${lines.join('\n')}\n`;
}

const withoutIds = (rows: readonly Trade[]): Trade[] =>
  rows.map(([, ms, price]) => ['', ms, price]);

/** The prices of a dataset of trades that two files make, the second by `--append`. */
async function appended(first: readonly Trade[], second: readonly Trade[]) {
  const store = new Store();
  await store.import(store.file('1-btc_usdt.csv', trades(first)));
  const file = store.file('2-btc_usdt.csv', trades(second));
  const rows = await rowsOf(await store.import(file, { overlap: 'append' }));
  return rows.map(([time, , price]) => [time! - START, price]);
}

describe('importFiles, by --append, of trades of one instant', () => {
  const all = TRADES.map(([, ms, price]) => [ms, price]);

  it.each([1, 2, 3, 4])('adds those that another file has: parted behind %i', async (at) => {
    for (const of of [TRADES, withoutIds(TRADES)]) {
      const parts = [of.slice(0, at), of.slice(at)] as const;
      // Two equal trades without ids count as one trade that is in both files.
      const isTold = of === TRADES || at !== 2;
      expect(await appended(...parts)).toEqual(isTold ? all : all.toSpliced(2, 1));
      expect(await appended(parts[1], parts[0])).toEqual(isTold ? all : all.toSpliced(2, 1));
    }
  });

  it.each([0, 1, 2, 3])('adds none twice: again from the one behind %i', async (at) => {
    for (const of of [TRADES, withoutIds(TRADES)]) {
      expect(await appended(of.slice(0, 4), of.slice(at))).toEqual(all);
      expect(await appended(of.slice(1), of.slice(0, at + 1))).toEqual(all);
    }
  });

  it('adds them to a dataset of that instant alone', async () => {
    const instant = TRADES.slice(1, 4);
    expect(await appended(instant.slice(0, 1), TRADES)).toEqual(all);
    expect(await appended(instant, TRADES)).toEqual(all);
  });
});

it('importFiles, by --append, adds a trade of the other side without an id', async () => {
  const store = new Store();
  const told = (...sides: readonly string[]): string =>
    `time,price,amount,side\n${sides.map((side, at) => `${START + at},100,1,${side}\n`).join('')}`;
  await store.import(store.file('1-btc_usdt.csv', told('buy', 'buy')));
  const text = told('buy', 'sell', 'sell').replace(/^.*,buy\n/m, '');
  const file = store.file('2-btc_usdt.csv', text);
  const rows = await rowsOf(await store.import(file, { overlap: 'append' }));
  expect(rows.map(([time, , , , side]) => [time! - START, side])).toEqual([
    [0, 1],
    [1, 1],
    [1, -1],
    [2, -1],
  ]);
});

it('importFiles, by --append, adds no trade twice whose side each file infers otherwise', async () => {
  const store = new Store();
  const untold = (prices: readonly (readonly [ms: number, price: number])[]): string =>
    `time,price,amount\n${prices.map(([ms, price]) => `${START + ms},${price},1\n`).join('')}`;
  const first = untold([
    [0, 104],
    [9, 103],
    [9, 103],
  ]);
  const second = untold([
    [9, 103],
    [9, 103],
    [12, 102],
  ]);
  await store.import(store.file('1-btc_usdt.csv', first));
  const file = store.file('2-btc_usdt.csv', second);
  const rows = await rowsOf(await store.import(file, { overlap: 'append' }));
  expect(rows.map(([time]) => time! - START)).toEqual([0, 9, 9, 12]);
});

it('importFiles, by --append, adds quotes of one instant that it does not have', async () => {
  const quotes = (rows: readonly (readonly [number, number])[]): string =>
    `time,bid,bidAmount,ask,askAmount\n${rows.map(([ms, bid]) => `${START + ms},${bid},1,200,1\n`).join('')}`;
  const store = new Store();
  await store.import(
    store.file(
      '1-btc_usdt.csv',
      quotes([
        [0, 100],
        [5, 101],
      ]),
    ),
  );
  const file = store.file(
    '2-btc_usdt.csv',
    quotes([
      [5, 101],
      [5, 102],
      [9, 103],
    ]),
  );
  const rows = await rowsOf(await store.import(file, { overlap: 'append' }));
  expect(rows.map(([, , bid]) => bid)).toEqual([100, 101, 102, 103]);
});
