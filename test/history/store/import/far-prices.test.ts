import { expect, it } from 'vitest';
import { type DepthRow, depthRows, Store } from '../fixture.ts';

const HEADING = 'time,received,update,event,side,price,amount\n';

function fileOf(store: Store, name: string, rows: readonly DepthRow[]): string {
  const lines = depthRows(rows).map((row) => `${row.join(',')}\n`);
  return store.file(name, HEADING + lines.join(''));
}

it.each([
  [
    'trades',
    400,
    ['local.btc_usdt.depth has a price of 100 where rows with 400 join it: are they of btc_usdt?'],
  ],
  ['no level of a book', 101, []],
])('farPrices tells by %s of depth that prices are far', async (_, price, said) => {
  const store = new Store();
  const before: DepthRow[] = [
    [0, 'snapshot', 'buy', 99, 1],
    [1, 'trade', 'buy', 100, 1],
    [2, 'change', 'sell', 5_000, 1],
  ];
  const after: DepthRow[] = [
    [3, 'snapshot', 'buy', 5, 1],
    [4, 'trade', 'buy', price, 1],
  ];
  await store.import(fileOf(store, 'btc_usdt-1.csv', before));
  expect(await store.told(fileOf(store, 'btc_usdt-2.csv', after))).toEqual(said);
});
