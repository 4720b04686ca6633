import { describe, expect, it } from 'vitest';
import { type DepthRow, depthRows, START, Store } from '../fixture.ts';

const HEADING = 'time,received,update,event,side,price,amount\n';
const CHANGES: readonly DepthRow[] = [
  [0, 'trade', 'buy', 101, 1],
  [1, 'change', 'buy', 99, 1],
  [2, 'change', 'sell', 102, 1],
];
const BOOK: readonly DepthRow[] = [
  [4, 'snapshot', 'buy', 100, 1],
  [5, 'change', 'sell', 101, 2],
];
const ID = 'local.btc_usdt.depth';

function fileOf(store: Store, name: string, rows: ReturnType<typeof depthRows>): string {
  return store.file(name, HEADING + rows.map((row) => `${row.join(',')}\n`).join(''));
}

describe('importFiles, of depth without a whole book at its start,', () => {
  it('tells from when on the book is known', async () => {
    const store = new Store();
    const again: DepthRow = [6, 'snapshot', 'buy', 100, 1];
    const file = fileOf(store, 'btc_usdt.csv', depthRows([...CHANGES, ...BOOK, again]));
    expect(await store.told(file)).toEqual([
      `the book of ${ID} is unknown from 2024-01-31T23:50:00.000Z to 2024-01-31T23:50:04.000Z: ` +
        'its first whole book comes then, after 2 changes; a backtest has no book before, and ' +
        'fills no order',
    ]);
  });

  it('tells that it is never known', async () => {
    const store = new Store();
    expect(await store.told(fileOf(store, 'btc_usdt.csv', depthRows(CHANGES)))).toEqual([
      `the book of ${ID} is never known: its rows hold no whole book, but 2 changes; ` +
        'a backtest has no book then, and fills no order',
    ]);
    const trades = fileOf(new Store(), 'eth_usdt.csv', depthRows(CHANGES.slice(0, 1)));
    expect((await store.told(trades))[0]).toMatch(/^the book of local\.eth_usdt\.depth is never/);
  });

  it('says nothing of a whole book, of trades before it, and of changes behind what was there', async () => {
    const store = new Store();
    const files = [
      fileOf(store, 'btc_usdt-1.csv', depthRows([CHANGES[0]!, ...BOOK])),
      fileOf(store, 'btc_usdt-2.csv', depthRows([[6, 'change', 'buy', 99, 1]])),
    ];
    for (const file of files) expect(await store.told(file)).toEqual([]);
  });

  it('looks for the whole book in the files of later days too', async () => {
    const store = new Store();
    const late: readonly DepthRow[] = [
      [86_400, 'change', 'sell', 103, 1],
      [86_401, 'snapshot', 'buy', 100, 1],
    ];
    const [told] = await store.told(
      fileOf(store, 'btc_usdt.csv', depthRows([...CHANGES, ...late])),
    );
    const book = new Date(START + 86_401_000).toISOString();
    expect(store.dataset(ID).parts).toHaveLength(2);
    expect(told).toContain(`to ${book}: its first whole book comes then, after 3 changes`);
  });
});

describe('importFiles, of depth with trades that cannot be,', () => {
  it('tells how many, and where the first is', async () => {
    const store = new Store();
    const rows = depthRows([
      ...BOOK,
      [6, 'trade', 'buy', 0, 1],
      [7, 'trade', 'buy', 100, -1],
      [8, 'trade', 'buy', 100, 0],
      [9, 'gap', 'buy', 0, 0],
    ]);
    expect(await store.told(fileOf(store, 'btc_usdt.csv', rows))).toEqual([
      `2 trades of ${ID} cannot be, the first in btc_usdt.csv at 2024-01-31T23:50:06.000Z: ` +
        'price 0, amount 1; `tradewind data check` shows them',
    ]);
  });
});

describe('importFiles, of depth that tells of its gaps,', () => {
  it('knows each of them until the next whole book', async () => {
    const store = new Store();
    const rows = depthRows([
      ...BOOK,
      [6, 'gap', 'buy', 0, 0],
      [7, 'gap', 'buy', 0, 0],
      [8, 'trade', 'buy', 100, 1],
      [9, 'snapshot', 'buy', 100, 1],
      [10, 'gap', 'buy', 0, 0],
      [11, 'trade', 'buy', 100, 1],
    ]);
    const { gaps } = await store.import(fileOf(store, 'btc_usdt.csv', rows));
    const reason = 'btc_usdt.csv tells of it';
    expect(gaps).toEqual([
      { from: START + 6_000, to: START + 9_000, reason },
      { from: START + 10_000, to: START + 11_000, reason },
    ]);
  });

  it('knows them until one of the next file, whichever was named first', async () => {
    const store = new Store();
    const first = depthRows([...BOOK, [6, 'gap', 'buy', 0, 0]]);
    const second = depthRows([
      [20, 'trade', 'buy', 100, 1],
      [21, 'snapshot', 'buy', 100, 1],
      [22, 'gap', 'buy', 0, 0],
    ]);
    const names = ['btc_usdt-2.csv', 'btc_usdt-1.csv'];
    const files = [second, first].map((rows, at) => fileOf(store, names[at]!, rows));
    const { gaps } = await store.import(files);
    expect(gaps).toEqual([
      { from: START + 6_000, to: START + 21_000, reason: 'btc_usdt-1.csv tells of it' },
      { from: START + 22_000, to: START + 22_000, reason: 'btc_usdt-2.csv tells of it' },
    ]);
  });

  it('adds to those that were there, or takes their place', async () => {
    const store = new Store();
    const at = (second: number) =>
      depthRows([
        [second, 'snapshot', 'buy', 100, 1],
        [second + 1, 'gap', 'buy', 0, 0],
        [second + 2, 'snapshot', 'buy', 100, 1],
      ]);
    const gapsOf = (): number[] => store.dataset(ID).gaps.map(({ from }) => (from - START) / 1_000);
    await store.import(fileOf(store, 'btc_usdt-1.csv', at(0)));
    await store.import(fileOf(store, 'btc_usdt-2.csv', at(10)));
    expect(gapsOf()).toEqual([1, 11]);
    const rows = [...at(0), ...at(10), ...at(20)];
    await store.import(fileOf(store, 'btc_usdt-3.csv', rows), { overlap: 'append' });
    expect(gapsOf()).toEqual([1, 11, 21]);
    await store.import(fileOf(store, 'btc_usdt-4.csv', at(10)), { overlap: 'replace' });
    expect(gapsOf()).toEqual([1, 11, 21]);
  });
});
