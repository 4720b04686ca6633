import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset, importFiles, requireDataset } from '../../../src/history/index.ts';
import { candles, csv, json, rowsOf, Store } from './fixture.ts';

/** A name that, if taken for a pattern, would match only the other one. */
const NAME = "btc_usdt-[1]?*'";
const OTHER = "btc_usdt-123'";

/** The rows as the file of each format. */
async function filesOf(rows: readonly (readonly number[])[]) {
  const store = new Store();
  const dataset = await store.import(store.file('btc_usdt.csv', csv(rows)));
  const file = join(store.root, 'rows.parquet');
  await exportDataset(dataset, { file });
  return { csv: csv(rows), json: json(rows), parquet: readFileSync(file) };
}

describe('pathLiteral', () => {
  it.each(['csv', 'json', 'parquet'] as const)('means that file of %s alone', async (form) => {
    const [meant, other] = [candles(0, 5), candles(10, 15)];
    const [files, others] = [await filesOf(meant), await filesOf(other)];
    const store = new Store();
    store.file(`${OTHER}.${form}`, others[form]);
    const dataset = await store.import(store.file(`${NAME}.${form}`, files[form]));
    expect(await rowsOf(dataset)).toEqual(meant);
  });

  it('means the datasets of a folder alone, whatever its name', async () => {
    const store = new Store();
    const other = new Store();
    await store.import(store.file('btc_usdt.csv', csv(candles(0, 5))));
    await other.import(other.file('btc_usdt.csv', csv(candles(10, 15))));
    const [root, beside] = [join(store.root, 'data[1]'), join(store.root, 'data1')];
    const id = 'local.btc_usdt.1min';
    cpSync(join(store.root, id), join(root, id), { recursive: true });
    cpSync(join(other.root, id), join(beside, id), { recursive: true });
    expect(await rowsOf(requireDataset(root, id))).toEqual(candles(0, 5));
    const files = [store.file('btc_usdt-2.csv', csv(candles(5, 9)))];
    await importFiles({ root, files });
    expect(await rowsOf(requireDataset(root, id))).toEqual(candles(0, 9));
  });
});
