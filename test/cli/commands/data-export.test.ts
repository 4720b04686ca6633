import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { depthRows, Store } from '../../history/store/fixture.ts';
import { dataFolder, ID as LOCAL } from './dataset-fixture.ts';
import { line } from './fixture.ts';

const ID = 'venue.btc_usdt.depth';

describe('tradewind data export, of depth,', () => {
  it('tells how many rows are the book at its start, or that none is known', async () => {
    const store = new Store();
    await store.record(
      depthRows([
        [0, 'snapshot', 'buy', 100, 1],
        [0, 'snapshot', 'sell', 101, 1],
        [2, 'change', 'buy', 99, 1],
        [3, 'gap', 'buy', 0, 0],
        [5, 'change', 'buy', 99, 2],
      ]),
    );
    const file = join(store.root, 'part.csv');
    const exported = (flags: string) =>
      line(`data export ${ID} ${file} --data ${store.root} ${flags}`);
    const known = await exported('--from 2024-01-31T23:50:01Z');
    expect(known.stdout).toBe(
      `${file}: 5 rows of ${ID}, the first 2 of them the book as it stood at their start\n`,
    );
    const unknown = await exported('--from 2024-01-31T23:50:04Z --force');
    expect(unknown.stdout).toMatch(/: 1 row of venue.*\nwarning: the book of .* is never known: /);
    const json = await exported('--from 2024-01-31T23:50:01Z --force --json');
    expect(JSON.parse(json.stdout)).toEqual({
      ...{ dataset: ID, file, rows: 5, openingRows: 2, warnings: [] },
    });
  });
});

it('tradewind data export refuses an ending that tells no form, unless one is named', async () => {
  const root = await dataFolder();
  const exported = (rest: string) => line(`data export ${LOCAL} ${rest} --data ${root}`);
  const { code, stderr } = await exported(join(root, 'rows.parqet'));
  expect(stderr).toMatch(/is invalid for argument 'file'\. a file that ends in \.csv, \.json or /);
  expect(code).toBe(2);
  expect((await exported(`${join(root, 'rows.txt')} --format csv`)).code).toBe(0);
  expect((await exported(join(root, 'rows.CSV'))).code).toBe(0);
});
