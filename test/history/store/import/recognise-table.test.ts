import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../../src/history/formats/mapping.ts';
import { datasetOf, rowsOf, Store } from '../fixture.ts';

const T = 1_700_000_040_000;
const ROWS = [0, 1].map((at) => `${T + at * 60_000},1,2,1,2,5,6\n`).join('');
const HEADING = 'time,open,high,low,close';
const WANTED = 'one of that heading is wanted, or a mapping that names its number (--mapping)';

describe('importFiles, of equal headings,', () => {
  it.each([
    ['close,volume', 1, 5, 6, 'close'],
    ['volume,Volume', 1, 6, 7, 'volume'],
    ['volume,time', 1, 1, 7, 'time'],
  ])('refuses %s, with the line and both columns', async (others, line, first, second, name) => {
    await expect(datasetOf('BTCUSDT.csv', `${HEADING},${others}\n${ROWS}`)).rejects.toThrow(
      `Cannot import BTCUSDT.csv: line ${line}: columns ${first} and ${second} are both headed ` +
        `"${name}", ${WANTED}`,
    );
  });

  it('names the line below comments', async () => {
    await expect(
      datasetOf('BTCUSDT.csv', `# one\n\n# two\n${HEADING},volume,volume\n${ROWS}`),
    ).rejects.toThrow(': line 4: columns 6 and 7 are both');
  });

  it('takes those of columns that nobody reads', async () => {
    const rows = ROWS.replaceAll('\n', ',a,b\n');
    expect((await datasetOf('BTCUSDT.csv', `${HEADING},volume,x,note,note\n${rows}`)).rows).toBe(2);
  });

  it('lets a mapping choose one by its number, and refuses its name', async () => {
    const store = new Store();
    const file = store.file('x.csv', `${HEADING},volume,volume\n${ROWS}`);
    const mapping = (volume: string | number): Mapping => {
      const prices = { time: 'time', open: 'open', high: 'high', low: 'low', close: 'close' };
      return { kind: 'candles', market: 'btc_usdt', columns: { ...prices, volume } };
    };
    await expect(store.import(file, { mapping: mapping('volume') })).rejects.toThrow(WANTED);
    const dataset = await store.import(file, { mapping: mapping(7) });
    expect((await rowsOf(dataset)).map((row) => row[5])).toEqual([6, 6]);
  });
});

describe('importFiles, of headings in Latin-1,', () => {
  const text = (heading: string) => Buffer.from(`${heading}\n${ROWS}`, 'latin1');

  it('takes them where nobody asks for them', async () => {
    expect((await datasetOf('BTCUSDT.csv', text(`${HEADING},volume,Gr\u00f6\u00dfe`))).rows).toBe(
      2,
    );
  });

  it.each<[string, Mapping | undefined]>([
    ['a mapping', { kind: 'trades', columns: { time: 1, price: 2, amount: 'Gr\u00f6\u00dfe' } }],
    ['a format', undefined],
  ])('names the encoding where %s does', async (_what, mapping) => {
    const store = new Store();
    const file = store.file(
      'BTCUSDT.csv',
      text(`time,open,high,low,Schlu\u00df,volume,Gr\u00f6\u00dfe`),
    );
    await expect(store.import(file, { mapping })).rejects.toThrow(
      'Cannot import BTCUSDT.csv: line 1 is no UTF-8 (its byte 25 is 0xDF), text as UTF-8 is wanted',
    );
  });
});
