import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../src/history/formats/mapping.ts';
import { datasetOf, START, Store } from '../store/fixture.ts';

const MAPPING: Mapping = {
  kind: 'trades',
  columns: { time: 'time', price: 'price', amount: 'amount', side: 'side' },
};

function table(rows: readonly string[], more = ''): string {
  return `time,side,price,amount${more}\n${rows.map((row) => `${row}\n`).join('')}`;
}

/** Books of two levels on each side, repeated so many times. */
function levels(times: number): string[] {
  const book = ['bid,99', 'ask,101', 'bid,98', 'ask,102'];
  return Array.from({ length: times }, (_, at) =>
    book.map((level) => `${START + at},${level},1`),
  ).flat();
}

describe('refuseOthers', () => {
  it.each([
    ['BTCUSDT-Liquidations.csv', table([`${START},buy,100,1`]), 'it is named after liquidations'],
    [
      'BTCUSDT.csv',
      table([`${START},buy,100,1,open`], ',status'),
      'its columns are those of orders',
    ],
    ['BTCUSDT.csv', table(levels(3)), 'its rows have bids below asks at the same times as levels'],
  ])('refuses %s, but by a mapping: %j', async (name, text, message) => {
    const store = new Store();
    const file = store.file(name, text);
    await expect(store.import(file)).rejects.toThrow(`Cannot import ${name}: ${message}`);
    const { rows } = await store.import(file, { mapping: MAPPING });
    expect(rows).toBe(text.split('\n').length - 2);
  });

  it.each([
    [
      'most of which stand alone',
      [...levels(1), ...[5, 6, 7, 8].map((at) => `${START + at},ask,101,1`)],
    ],
    ['of which some have one price', levels(3).map((row) => row.replace('ask,101', 'ask,99'))],
    ['of which the words are others', levels(3).map((row) => row.replace('bid', 'buy'))],
  ])('takes trades %s', async (_which, rows) => {
    expect((await datasetOf('BTCUSDT.csv', table(rows))).rows).toBe(rows.length);
  });
});
