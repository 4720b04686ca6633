import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeColumns } from '../../../../src/history/index.ts';
import { withDatabase } from '../../../../src/history/store/database.ts';
import type { WrittenColumns } from '../../../../src/history/store/read/write-columns.ts';
import { parquet } from '../../../../src/history/store/sql.ts';
import { Store } from '../fixture.ts';

const newFile = () => join(new Store().root, 'written.parquet');

/** Rows from `first` on. */
function block(first: number, count: number): WrittenColumns {
  const numbers = Array.from({ length: count }, (_, at) => first + at);
  return {
    number: Float64Array.from(numbers),
    name: numbers.map((number) => `row ${number}`),
    'odd "one"': numbers.map((number) => (number % 2 === 1 ? String(number) : null)),
  };
}

/** Blocks of so many rows each, numbered through. */
function* blocksOf(...counts: readonly number[]): Generator<WrittenColumns> {
  let first = 0;
  for (const count of counts) {
    yield block(first, count);
    first += count;
  }
}

const rowsOf = (file: string) =>
  withDatabase((database) => database.rows(`SELECT * FROM ${parquet([file])}`));

describe('writeColumns', () => {
  it.each([
    ['one block', [3]],
    ['a block of some thousand rows', [5_000]],
    ['blocks beyond the size of a group', [10_000, 10_000, 1, 40_000, 7]],
  ])('writes %s, every row once and in order', async (_, counts) => {
    const file = newFile();
    await writeColumns(file, blocksOf(...counts));
    const rows = await rowsOf(file);
    const count = counts.reduce((sum, one) => sum + one, 0);
    const { number, name, 'odd "one"': odd } = block(0, count);
    expect(rows.map((row) => row.number)).toEqual([...number!]);
    expect(rows.map((row) => row.name)).toEqual(name);
    expect(rows.map((row) => row['odd "one"'])).toEqual(odd);
    expect(readdirSync(dirname(file))).toEqual(['written.parquet']);
  });

  it('writes a file of no rows that has its columns', async () => {
    const file = newFile();
    await writeColumns(file, blocksOf(0));
    const [row] = await withDatabase((database) =>
      database.rows(`SELECT count(*) AS rows, count("odd ""one""") AS odd FROM ${parquet([file])}`),
    );
    expect(row).toEqual({ rows: 0n, odd: 0n });
  });

  it('writes over what is there', async () => {
    const file = newFile();
    writeFileSync(file, 'something else');
    await writeColumns(file, blocksOf(2));
    expect(await rowsOf(file)).toHaveLength(2);
  });

  it('leaves nothing behind where it fails', async () => {
    const file = newFile();
    const failing = writeColumns(file, [block(0, 20_000), { ...block(0, 1), more: ['x'] }]);
    await expect(failing).rejects.toThrow();
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(dirname(file))).toEqual([]);
  });
});
