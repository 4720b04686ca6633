import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withDatabase } from '../../../../src/history/store/database.ts';
import { literal } from '../../../../src/history/store/sql.ts';
import { wordingOf } from '../../../../src/history/store/staging/wording.ts';
import { candles, csv, Store } from '../fixture.ts';
import { zipOf } from '../zip.ts';

describe('wordingOf', () => {
  it.each<[string, boolean, string]>([
    ['Invalid Input Error: Out of buffer', true, 'it is damaged, a whole file is wanted'],
    ["IO Error: Footer length error in file '/x'", true, 'it is damaged, a whole file is wanted'],
    ["Invalid Error: don't know what type: \u000b", true, 'it is damaged, a whole file is wanted'],
    [
      'Conversion Error: Could not convert Timestamp(MS) to Timestamp(US)',
      true,
      'a time is beyond all dates, a file that is not damaged is wanted',
    ],
    ['Not implemented Error: no such codec', true, 'no such codec'],
    ['Out of Memory Error: more is wanted\nof it', true, 'more is wanted'],
    [
      'Out of Memory Error: failed to allocate data of size 64.0 MiB (463.1 MiB/488.2 MiB used)',
      true,
      'it does not fit into the memory that an import takes, smaller rows or files are wanted',
    ],
    [
      'Invalid Input Error: "maximum_object_size" of 16777216 bytes exceeded while reading "x"',
      false,
      'it holds an object of more than 16 MB, a list of rows or a row a line is wanted',
    ],
    [
      'it holds A, B, one market a file is wanted',
      true,
      'it holds A, B, one market a file is wanted',
    ],
    [
      'CSV Error on Line: 4\nExpected Number of Columns: 6 Found: 1',
      false,
      'line 4 has 1 column, 6 are wanted',
    ],
    [
      'CSV Error on Line: 4\nExpected Number of Columns: 1 Found: 2',
      false,
      'line 4 has 2 columns, 1 is wanted',
    ],
    [
      'CSV Error on Line: 4\nMaximum line size of 2000000 bytes exceeded. Actual Size:3000025 bytes.',
      false,
      'line 4 is too long, a row of market data is wanted',
    ],
    ['Invalid Input Error: no number\nLine: 7', false, 'no number'],
  ])('makes of %j (packed: %j) %j', (message, isPacked, text) => {
    expect(wordingOf(message, { isPacked })).toBe(text);
  });
});

/**
 * The errors of a file with one byte changed, for several places; `imported` where there is none.
 */
async function toldOf(bytes: Uint8Array, name: string): Promise<Set<string>> {
  const said = new Set<string>();
  for (let at = 4; at < bytes.length; at += Math.ceil(bytes.length / 60)) {
    const store = new Store();
    const file = store.file(
      name,
      bytes.map((byte, place) => byte ^ (place === at ? 0x55 : 0)),
    );
    try {
      await store.import(file);
      said.add('imported');
    } catch (thrown) {
      said.add((thrown as Error).message.split('\n')[0]!);
      expect(store.ids()).toEqual([]);
    }
  }
  return said;
}

describe('importFiles, of damage anywhere,', () => {
  it('says of a ZIP archive in plain words what is wanted', async () => {
    const archive = zipOf([{ name: 'BTCUSDT.csv', content: csv(candles(0, 40)) }]);
    // An archive names its files twice, and one of these is read: a changed byte in the other does
    // no harm.
    expect([...(await toldOf(archive, 'BTCUSDT.zip'))].toSorted()).toEqual([
      'Cannot import BTCUSDT.zip: BTCUSDT.csv in it is damaged, an archive that is whole is wanted',
      'Cannot import BTCUSDT.zip: it breaks off, a whole archive is wanted',
      'Cannot import BTCUSDT.zip: it is damaged, an archive that is whole is wanted',
      'imported',
    ]);
  });

  it('says of Parquet in plain words what is wanted', async () => {
    const file = join(new Store().root, 'x.parquet');
    const rows = candles(0, 200).map((row) => `(${row.join(', ')})`);
    await withDatabase((database) =>
      database.run(`COPY (FROM (VALUES ${rows.join(', ')})
        AS rows (time, open, high, low, close, volume)) TO ${literal(file)} (FORMAT parquet)`),
    );
    const said = await toldOf(readFileSync(file), 'BTCUSDT.parquet');
    expect(said).toContain('Cannot import BTCUSDT.parquet: it is damaged, a whole file is wanted');
    for (const text of said) {
      expect(text).toMatch(/^imported|: (it is damaged|its|it breaks off|a time|row \d+|\d+ rows)/);
    }
  });
});
