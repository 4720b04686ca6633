import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../src/history/index.ts';
import { Store } from './fixture.ts';

const T = 1_700_000_040_000;
const OTHERS = '\\(a mapping with a dateFormat, such as dd-mm-yyyy, reads others\\) is wanted$';

describe('importFiles, of a row that is broken,', () => {
  it.each<[string, string, RegExp]>([
    [
      'a hole',
      `time,price,amount\n${T},1,2\n${T},,2\n`,
      /: line 3: the price \(column price\) is "", a number is wanted$/,
    ],
    [
      'a time of words behind a blank line',
      `time,price,amount\n${T},1,2\n\n\nnoon,1,2\n`,
      new RegExp(`: line 5: the time \\(column time\\) is "noon", a stamp since .* ${OTHERS}`),
    ],
    [
      'a date and a time of another form',
      'Date,Time,Open,High,Low,Close\n31.01.24,10:00,1,1,1,1\n',
      new RegExp(
        `: line 2: the time \\(columns Date and Time\\) is "31.01.24" and "10:00".*${OTHERS}`,
      ),
    ],
    [
      'a word in JSON',
      `[${`[${T},1,3,0.5,2,10],`.repeat(5)}[${T},1,3,0.5,2,"x"]]`,
      /: row 6: the volume \(column 6\) is "x", a number is wanted$/,
    ],
    [
      'a side in a long file',
      `time,price,amount,side\n${`${T},1,2,buy\n`.repeat(9_000)}${T},1,x,buy\n`,
      /: line 9002: the amount \(column amount\) is "x", a number is wanted$/,
    ],
  ])('names where %s is', async (_what, content, message) => {
    const store = new Store();
    await expect(store.import(store.file('btcusdt.csv', content))).rejects.toThrow(message);
    expect(store.ids()).toEqual([]);
  });

  it.each<[Mapping['dateFormat'], string]>([
    ['dd-mm-yyyy', '31-12-2024'],
    ['mm-dd-yyyy', '12-31-2024'],
    ['yyyymmdd', '20241231'],
  ])(
    'names the dateFormat %s of the mapping that its date does not have',
    async (form, example) => {
      const store = new Store();
      const columns = { time: 'When', price: 2, amount: 3 };
      const mapping: Mapping = { kind: 'trades', columns, dateFormat: form };
      const file = store.file('btcusdt.csv', 'When,Price,Size\n2024/13/41,1,2\n');
      await expect(store.import(file, { mapping })).rejects.toThrow(
        'Cannot import btcusdt.csv: line 2: the time (column When) is "2024/13/41", a date such as ' +
          `${example}, as the mapping's dateFormat ${form} says, is wanted`,
      );
    },
  );
});
