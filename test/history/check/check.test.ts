import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDataset, removeDatasets, resample } from '../../../src/history/index.ts';
import { withDatabase } from '../../../src/history/store/database.ts';
import { writeManifest } from '../../../src/history/store/manifest.ts';
import { literal } from '../../../src/history/store/sql.ts';
import { byNobody } from '../../nobody.ts';
import {
  type CandleRow,
  candle,
  candles,
  datasetOf,
  json,
  START,
  Store,
} from '../store/fixture.ts';

const ID = 'local.btc_usdt.1min';
const INDEX = new URL('../../../src/history/index.ts', import.meta.url).href;

describe('checkDataset, beside candles that were resampled,', () => {
  const FIVE = 'local.btc_usdt.5min';
  const TEN = 'local.btc_usdt.10min';

  /** Minutes, candles of five of them with one that differs, and candles of ten of the minutes. */
  async function resampledStore() {
    const store = new Store();
    const five = [0, 5].map((minute) => {
      const [time, open] = candle(minute);
      return [time, open, open + 5, open - 1, open + 4.5, minute === 5 ? 0.3 : 50] as CandleRow;
    });
    await store.import(store.file('btc_usdt-1m.json', json(candles(0, 10))));
    await store.import(store.file('btc_usdt-5m.json', json(five)));
    await resample(store.dataset(ID), { root: store.root, resolution: '10min' });
    return store;
  }

  it('compares none with these, nor these with what they are made of', async () => {
    const store = await resampledStore();
    expect((await store.check(ID, [])).comparedWith).toEqual([FIVE]);
    expect((await store.check(FIVE, [])).comparedWith).toEqual([ID]);
    expect((await store.check(FIVE, [])).findings).toMatchObject([{ count: 1 }]);
    expect((await store.check(TEN, [])).comparedWith).toEqual([FIVE]);
  });

  it('compares them where they are made of what was there before', async () => {
    const store = await resampledStore();
    await store.import(store.file('btc_usdt-1m-b.json', json(candles(10, 20))), {
      resolution: '1min',
    });
    expect((await store.check(ID)).comparedWith).toEqual([TEN, FIVE]);
    expect((await store.check(TEN)).comparedWith).toEqual([ID, FIVE]);
  });

  it.each([
    ['append', [ID, FIVE]],
    ['replace', [FIVE]],
  ] as const)('compares them where older ones stay: %s', async (overlap, comparedWith) => {
    const store = await resampledStore();
    const others = candles(0, 20).map((row, at) => (at === 3 ? [...row.slice(0, 5), 77] : row));
    const file = store.file('btc_usdt-1m-b.json', json(others as CandleRow[]));
    await store.import(file, { overlap: 'replace' });
    await resample(store.dataset(ID), { root: store.root, resolution: '10min', overlap });
    expect((await store.check(TEN)).comparedWith).toEqual(comparedWith);
  });

  it('compares them where they stand beside candles of another origin', async () => {
    const store = await resampledStore();
    const [time] = candle(10);
    const file = store.file('btc_usdt-10m.json', json([[time, 1, 3, 0.5, 2, 9]]));
    await store.import(file, { resolution: '10min', mix: true });
    expect((await store.check(TEN)).comparedWith).toEqual([ID, FIVE]);
  });

  it('does not compare them where others alike were put behind them', async () => {
    const store = await resampledStore();
    const file = store.file('btc_usdt-1m-b.json', json(candles(10, 20)));
    await store.import(file, { resolution: '1min' });
    const options = { root: store.root, resolution: '10min', overlap: 'append' } as const;
    await resample(store.dataset(ID), options);
    expect((await store.check(TEN)).comparedWith).toEqual([FIVE]);
  });

  it('compares them where what they are made of was removed, and imported anew with others', async () => {
    const store = await resampledStore();
    const others = candles(0, 10).map((row, at) => (at === 3 ? [...row.slice(0, 5), 77] : row));
    await removeDatasets(store.root, [ID]);
    await store.import(store.file('btc_usdt-1m.json', json(others as CandleRow[])));
    expect((await store.check(TEN)).comparedWith).toEqual([ID, FIVE]);
  });
});

describe('checkDataset, of more rows than fit into memory,', () => {
  it('looks through all of them, and leaves nothing behind', async () => {
    const store = new Store();
    const name = 'venue.btc_usdt.trades';
    const folder = join(store.root, name);
    mkdirSync(folder);
    const [rows, firstTime, lastTime] = [1_200_000, START, START + 1_199_999];
    const period = '2024-01';
    const file = `${period}.parquet`;
    // As long as some millions of the usual ids are.
    const trades = `SELECT (${START} + range)::DOUBLE AS time, NULL::DOUBLE AS received,
      lpad(range::VARCHAR, 150, '0') AS id, 1.0 AS price, 1.0 AS amount, 1.0 AS side
      FROM range(${rows})`;
    await withDatabase((database) =>
      database.run(`COPY (${trades}) TO ${literal(join(folder, file))}
        (FORMAT parquet, ROW_GROUP_SIZE 50_000)`),
    );
    writeManifest(folder, {
      key: { kind: 'trades', market: 'btc_usdt', source: 'venue' },
      ...{ priceScale: 0, amountScale: 0, revision: 1, sources: [], gaps: [] },
      parts: [{ file, period, rows, firstTime, lastTime }],
    });
    expect((await store.check(name)).findings).toEqual([]);
    expect(readdirSync(store.root)).toEqual([name]);
  });
});

it('checkDataset names the first hundred of many files whose rows stood in disorder', async () => {
  const dataset = await datasetOf('btc_usdt.json', json(candles(0, 5)));
  const sources = Array.from({ length: 150 }, () => ({ ...dataset.sources[0]!, outOfOrder: 2 }));
  const { findings } = await checkDataset({ ...dataset, sources }, { others: [] });
  expect(findings).toMatchObject([{ fault: 'disorder', count: 300 }]);
  expect(findings[0]!.places).toHaveLength(100);
});

it('checkDataset wants no folder to write in for what fits into memory', async () => {
  const store = new Store();
  const { id } = await store.import(store.file('btc_usdt.json', json(candles(0, 2))));
  chmodSync(store.root, 0o555);
  const { stdout } = byNobody(
    `import '@duckdb/node-api';
    import { checkDataset, requireDataset } from ${JSON.stringify(INDEX)};
    const [, root, id] = process.argv;
    const { coverage } = await checkDataset(requireDataset(root, id), { others: [] });
    console.log(coverage);`,
    ...[store.root, id],
  );
  chmodSync(store.root, 0o755);
  expect(stdout).toBe('1\n');
});
