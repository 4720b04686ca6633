import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../../src/history/formats/mapping.ts';
import { withDatabase } from '../../../../src/history/store/database.ts';
import { literal } from '../../../../src/history/store/sql.ts';
import { Store } from '../fixture.ts';

const T = 1_700_000_040_000;
const OTHERS = '\\(a mapping with a dateFormat, such as dd-mm-yyyy, reads others\\) is wanted$';

/** What is wrong, a file, and what is said of it. */
const BROKEN: readonly [string, string, RegExp][] = [
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
  [
    'a missing key in lines of JSON',
    `{"time":${T},"price":1,"amount":2}\n\n{"time":${T},"amount":2}\n`,
    /: line 3: the price \(column price\) is missing, a number is wanted$/,
  ],
  [
    'a word in lines of JSON',
    `{"time":${T},"price":1,"amount":2}\n{"time":${T},"price":x}\n`,
    /: row 2 is no JSON \(unexpected character at its byte 31\), JSON is wanted$/,
  ],
  [
    'a long row of JSON',
    `[${`[${T},1,3,0.5,2,10],`.repeat(5)}[${T},1,3,0.5,2,10,4]]`,
    /: row 6 has 7 columns, 6 are wanted$/,
  ],
  [
    'a stamp that a spreadsheet has cut, in the first row',
    `time,price,amount\n1.7E+12,1,2\n`,
    /: line 2: the time .* is "1.7E\+12", a spreadsheet has cut its digits, the file as it was/,
  ],
  [
    'a stamp that a spreadsheet has cut, in a later row',
    `time,price,amount\n${`${T},1,2\n`.repeat(9)}1.70000E+12,1,2\n`,
    /: line 11: the time .* is "1.70000E\+12", a spreadsheet has cut its digits, the file as/,
  ],
  [
    'seconds that a spreadsheet has cut',
    `time,price,amount\n1.7000000E+09,1,2\n`,
    /: line 2: the time .* is "1.7000000E\+09", a spreadsheet has cut its digits, the file as it/,
  ],
  [
    'commas between thousands',
    `time,price,amount\n${T},"42,000.50",2\n`,
    /: line 2: the price \(column price\) is "42,000\.50", a number without commas in it is wanted$/,
  ],
  [
    'hours of half a day',
    'time,price,amount\n2024-01-31 12:00:00 AM,1,2\n',
    /: line 2: the time .* such as yyyy-mm-dd, reads others\) is wanted$/,
  ],
  [
    'digits alone',
    'time,price,amount\n20240131,1,2\n',
    /: line 2: the time .* such as yyyymmdd, reads others\) is wanted$/,
  ],
  [
    'a table without columns',
    'time price amount\n1 2 3\n',
    /, a table is wanted whose columns are parted by commas, semicolons, tabs or bars$/,
  ],
  [
    'a second market',
    `time,price,amount,symbol\n${`${T},1,2,BTCUSDT\n`.repeat(3)}${T},1,2,ETHUSDT\n`,
    /: it holds BTCUSDT, ETHUSDT \(from line 5\), one market a file is wanted$/,
  ],
];

describe('importFiles, of a row that is broken,', () => {
  it.each(BROKEN)('names where %s is', async (_what, content, message) => {
    const store = new Store();
    await expect(store.import(store.file('btcusdt.csv', content))).rejects.toThrow(message);
    expect(store.ids()).toEqual([]);
  });

  it('names the row of Parquet that is of another market', async () => {
    const store = new Store();
    const file = store.file('rows.parquet', '');
    const rows = ['BTCUSDT', 'BTCUSDT', 'ETHUSDT'].map((symbol) => `(${T}, 1, 2, '${symbol}')`);
    await withDatabase((database) =>
      database.run(`COPY (FROM (VALUES ${rows.join(', ')})
        AS rows (time, price, amount, symbol)) TO ${literal(file)} (FORMAT parquet)`),
    );
    await expect(store.import(file)).rejects.toThrow(
      'it holds BTCUSDT, ETHUSDT (from row 3), one market a file is wanted',
    );
  });

  it.each<[Mapping['dateFormat'], string]>([
    ['dd-mm-yyyy', '31-12-2024'],
    ['mm-dd-yyyy', '12-31-2024'],
    ['yyyy-mm-dd', '2024-12-31'],
    ['yyyymmdd', '20241231'],
  ])(
    'names the dateFormat %s of the mapping that its date does not have',
    async (form, example) => {
      const store = new Store();
      const columns = { time: 'When', price: 2, amount: 3 };
      const mapping: Mapping = { kind: 'trades', columns, dateFormat: form };
      const file = store.file('btcusdt.csv', 'When,Price,Size\n2024/13/41,1,2\n');
      const short = store.file('ethusdt.csv', 'When,Price,Size\n01/03/24 00:00,1,2\n');
      await expect(store.import(short, { mapping })).rejects.toThrow('"01/03/24 00:00", a date');
      await expect(store.import(file, { mapping })).rejects.toThrow(
        'Cannot import btcusdt.csv: line 2: the time (column When) is "2024/13/41", a date such as ' +
          `${example}, as the mapping's dateFormat ${form} says, is wanted`,
      );
    },
  );
});
