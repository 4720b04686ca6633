import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DatasetRow, DatasetWriter } from '../../../../src/history/index.ts';
import type { WriterOptions } from '../../../../src/history/store/commit/writer.ts';
import { lockDataset } from '../../../../src/history/store/lock.ts';
import { seededRandom } from '../../../../src/kernel/index.ts';
import { byNobody } from '../../../nobody.ts';
import { candle, candles, json, MINUTE_MS, rowsOf, START, Store, timesOf } from '../fixture.ts';

const CANDLES = {
  source: 'venue',
  market: 'btc_usdt',
  kind: 'candles',
  resolution: '1min',
} as const;
const TRADES = { source: 'venue', market: 'btc_usdt', kind: 'trades' } as const;
const DEPTH = { source: 'venue', market: 'btc_usdt', kind: 'depth' } as const;

function writerOf(store: Store, overrides: Partial<WriterOptions> = {}): DatasetWriter {
  const stepMs = overrides.key === undefined ? MINUTE_MS : undefined;
  const options = {
    root: store.root,
    key: CANDLES,
    stepMs,
    name: 'venue',
    format: 'download',
  } as const;
  const writer = new DatasetWriter({ ...options, ...overrides });
  onTestFinished(() => writer.close());
  return writer;
}

const NEW_YEAR = Date.UTC(2024, 0, 1);

const trade = (id: number, time: number): DatasetRow => [time, undefined, `${id}`, 100, 1, 1];

describe('DatasetWriter', () => {
  it('keeps few files, however often rows come', async () => {
    const writer = writerOf(new Store());
    for (let minute = 20; minute < 60; minute++) await writer.add({ rows: [candle(minute)] });
    expect(writer.dataset!.rows).toBe(40);
    expect(writer.dataset!.parts.length).toBeLessThanOrEqual(7);
    expect(writer.dataset!.sources).toHaveLength(1);
  }, 30_000);

  it('passes over trades by their id, and knows the last one up to a time', async () => {
    const writer = writerOf(new Store(), { key: TRADES });
    expect(await writer.lastRow(START)).toEqual({});
    await writer.add({ rows: [trade(1, START), trade(2, START), trade(3, START + 5)] });
    expect(await writer.add({ rows: [trade(3, START + 5), trade(4, START + 5)] })).toBe(1);
    expect(await writer.lastRow(START + 4)).toMatchObject({ id: '2' });
    expect(await writer.lastRow(START + 5)).toMatchObject({ id: '4' });
  });

  it('keeps gaps, which a later import carries on and its rows replace', async () => {
    const store = new Store();
    const writer = writerOf(store);
    const gap = { from: START + MINUTE_MS, to: START + 5 * MINUTE_MS, reason: 'connection lost' };
    await writer.add({ rows: [candle(0), candle(1), candle(5)], gaps: [gap] });
    await writer.add({ rows: [candle(6)] });
    writer.close();
    const file = (from: number, to: number) =>
      store.file(`BTC_USDT-${from}.json`, json(candles(from, to)));
    const options = { source: 'venue', resolution: '1min', mix: true };
    const joined = await store.import(file(7, 10), options);
    expect(joined).toMatchObject({ rows: 7, gaps: [gap] });
    const replaced = await store.import(file(0, 8), { ...options, overlap: 'replace' });
    expect(replaced).toMatchObject({ rows: 10, gaps: [] });
  });
});

describe('DatasetWriter, of trades of one moment,', () => {
  it('writes no file anew that they only follow', async () => {
    const writer = writerOf(new Store(), { key: TRADES });
    const last = START + 1_000;
    await writer.add({ rows: [1, 2, 3, 4].map((id) => trade(id, id < 3 ? START : last)) });
    const [first] = writer.dataset!.parts;
    await writer.add({ rows: [trade(5, last)] });
    expect(writer.dataset!.parts).toEqual([first, expect.objectContaining({ rows: 1 })]);
    expect(await writer.lastRow(last)).toMatchObject({ id: '5' });
    await writer.add({ rows: [trade(6, START + 500), trade(7, last)] });
    expect(await writer.lastRow(last)).toMatchObject({ id: '7' });
    const times = await timesOf(writer.dataset!);
    expect(times).toEqual([START, START, START + 500, last, last, last, last]);
  });
});

describe('DatasetWriter, of depth,', () => {
  it('keeps the order of its coming through many additions, which join files over and over', async () => {
    const writer = writerOf(new Store(), { key: DEPTH });
    const random = seededRandom('order of depth');
    let update = 0;
    for (let addition = 0; addition < 40; addition++) {
      const rows = Array.from({ length: 1 + (addition % 3) }, () => {
        const time = START + Math.floor(random.next() * MINUTE_MS);
        return [time, START + ++update, update, 1, 1, 100, 1];
      });
      await writer.add({ rows });
    }
    const updates = (await rowsOf(writer.dataset!)).map((cells) => cells[2]);
    expect(updates).toEqual(Array.from({ length: update }, (_, at) => at + 1));
  }, 30_000);

  it('keeps it in files whose last rows are few beside the 2048 that are read at once', async () => {
    const writer = writerOf(new Store(), { key: DEPTH });
    let update = 0;
    for (const length of [2_060, 100, 2_100]) {
      const rows = Array.from({ length }, () => {
        const time = START + ++update;
        return [time, time, update, 1, 1, 100, 1];
      });
      await writer.add({ rows });
    }
    expect(writer.dataset!.parts).toHaveLength(1);
    const updates = (await rowsOf(writer.dataset!)).map((cells) => cells[2]);
    expect(updates).toEqual(Array.from({ length: update }, (_, at) => at + 1));
  });
});

describe('DatasetWriter, told again what it has,', () => {
  it('lets the last candle of a time count, in one addition and over several', async () => {
    const store = new Store();
    const writer = writerOf(store);
    const [unfinished, whole, next] = [candle(0, 7), candle(0, 9), candle(1, 5)];
    expect(await writer.add({ rows: [unfinished, next, whole] })).toBe(2);
    expect(await writer.add({ rows: [candle(1, 6)] })).toBe(0);
    expect(await rowsOf(writer.dataset!)).toEqual([whole, candle(1, 6)]);
    expect(writer.dataset!.sources).toMatchObject([{ rows: 2, outOfOrder: 0 }]);
    const { revision } = writer.dataset!;
    expect(await writer.add({ rows: [whole, candle(1, 6)] })).toBe(0);
    expect(writer.dataset!.revision).toBe(revision);
    writer.close();
    expect(await writerOf(store).add({ rows: [candle(0, 3)] })).toBe(0);
    expect(store.dataset(writer.id)).toMatchObject({
      rows: 2,
      sources: [{ rows: 2 }, { rows: 1 }],
    });
  });

  it('lets the first trade of an id count, unless a later one is counted anew', async () => {
    const writer = writerOf(new Store(), { key: TRADES });
    expect(await writer.add({ rows: [trade(7, START), trade(7, START), trade(8, START)] })).toBe(2);
    expect(await writer.add({ rows: [trade(7, START + 1)] })).toBe(0);
    expect(await writer.add({ rows: [trade(8, START - 1), trade(9, START - 2)] })).toBe(1);
    expect(await writer.add({ rows: [trade(7, START + 60 * MINUTE_MS)] })).toBe(1);
    const times = await timesOf(writer.dataset!);
    expect(times).toEqual([START - 2, START, START, START + 60 * MINUTE_MS]);
  });

  it('keeps trades without an id, however alike they are', async () => {
    const writer = writerOf(new Store(), { key: TRADES });
    const nameless: DatasetRow = [START, undefined, undefined, 100, 1, 1];
    expect(await writer.add({ rows: [nameless, nameless] })).toBe(2);
    expect(await writer.add({ rows: [nameless] })).toBe(1);
  });
});

describe('DatasetWriter, told anything twice,', () => {
  it('has of each minute the last candle that was told, over the ends of files too', async () => {
    const told = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 4 }));
    const additions = fc.array(fc.array(told, { minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 6,
    });
    // The new year begins a new file.
    const at = (minute: number): number => NEW_YEAR + (minute - 3) * MINUTE_MS;
    await fc.assert(
      fc.asyncProperty(additions, async (batches) => {
        const writer = writerOf(new Store());
        const expected = new Map<number, readonly number[]>();
        for (const batch of batches) {
          const rows = batch.map(([minute, price]) => [at(minute), ...candle(0, price).slice(1)]);
          const before = expected.size;
          for (const row of rows) expected.set(row[0]!, row);
          expect(await writer.add({ rows })).toBe(expected.size - before);
        }
        const sorted = [...expected.values()].sort((a, b) => a[0]! - b[0]!);
        expect(await rowsOf(writer.dataset!)).toEqual(sorted);
        expect(writer.dataset!.rows).toBe(sorted.length);
        expect(writer.dataset!.sources).toMatchObject([{ rows: sorted.length }]);
        writer.close();
      }),
      { numRuns: 10, seed: 11 },
    );
  }, 60_000);

  it('has each trade once, as it was told first, over the ends of files too', async () => {
    const told = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -900, max: 900 }));
    const additions = fc.array(fc.array(told, { minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(additions, async (batches) => {
        const writer = writerOf(new Store(), { key: TRADES });
        const expected = new Map<number, number>();
        for (const batch of batches) {
          const before = expected.size;
          const rows = batch.map(([id, jitterMs]) =>
            trade(id, NEW_YEAR + id * 500 - 2_000 + jitterMs),
          );
          for (const [at, [id]] of batch.entries()) {
            if (!expected.has(id)) expected.set(id, Number(rows[at]![0]));
          }
          expect(await writer.add({ rows })).toBe(expected.size - before);
        }
        const times = await timesOf(writer.dataset!);
        expect(times).toEqual([...expected.values()].sort((a, b) => a - b));
        writer.close();
      }),
      { numRuns: 10, seed: 12 },
    );
  }, 60_000);
});

describe('DatasetWriter, while others read,', () => {
  it('leaves the files of before where they are for an hour', async () => {
    const writer = writerOf(new Store(), { key: TRADES });
    await writer.add({ rows: [trade(1, START)] });
    const before = writer.dataset!;
    await writer.add({ rows: [trade(2, START + 1)] });
    expect(await timesOf(before)).toEqual([START]);
    expect(writer.dataset!.parts).toHaveLength(1);
    const path = join(before.folder, before.parts[0]!.file);
    const { mtimeMs } = statSync(path);
    utimesSync(path, mtimeMs / 1_000 - 3_600, mtimeMs / 1_000 - 3_600);
    const [middle] = writer.dataset!.parts;
    await writer.add({ rows: [trade(3, START + 2), trade(4, START + 3)] });
    expect([path, join(before.folder, middle!.file)].map((file) => existsSync(file))).toEqual([
      false,
      true,
    ]);
  });
});

describe('DatasetWriter, on a full disk,', () => {
  it('fails and leaves the dataset as it was', async () => {
    const store = new Store();
    const writer = writerOf(store);
    await writer.add({ rows: candles(0, 10) });
    const before = writer.dataset;
    writer.close();
    const index = fileURLToPath(new URL('../../../../src/history/index.ts', import.meta.url));
    const program = `const { DatasetWriter } = await import(${JSON.stringify(index)});
      const writer = new DatasetWriter(${JSON.stringify({ root: store.root, key: CANDLES, stepMs: MINUTE_MS, name: 'venue', format: 'download' })});
      const rows = Array.from({ length: 20_000 }, (_, at) =>
        [${START} + (20 + at) * 60_000, ...Array.from({ length: 5 }, (_, n) => Math.sin(at + n) + 2)]);
      await writer.add({ rows }).catch((thrown) => console.log(thrown.message));`;
    // A limit on the size of a file fails a write as a full disk does.
    const command = `ulimit -f 16; exec '${process.execPath}' --input-type=module -e "$PROGRAM"`;
    const env = { ...process.env, PROGRAM: program };
    const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8', env });
    expect(stdout).toMatch(/File too large|EFBIG/i);
    expect(store.dataset('venue.btc_usdt.1min')).toEqual(before);
    expect(readdirSync(store.root).sort()).toEqual(['.locks', 'venue.btc_usdt.1min']);
    expect(await writerOf(store).add({ rows: [candle(10)] })).toBe(1);
  });
});

const LOCK = fileURLToPath(new URL('../../../../src/history/store/lock.ts', import.meta.url));

describe('lockDataset', () => {
  it('lets one change a dataset at a time, and names the process that does', async () => {
    const store = new Store();
    const writer = writerOf(store);
    expect(() => writerOf(store)).toThrow(
      `Cannot change venue.btc_usdt.1min: process ${process.pid} downloads into it right now`,
    );
    const file = store.file('BTC_USDT.json', json(candles(0, 3)));
    const importing = () => store.import(file, { source: 'venue' });
    await expect(importing()).rejects.toThrow('one at a time is wanted');
    expect(store.ids()).toEqual([]);
    writerOf(store, { key: TRADES });
    writer.close();
    expect(await importing()).toMatchObject({ rows: 3 });
  });

  it('takes no heed of what a process that died has left', async () => {
    const store = new Store();
    const program = `const { lockDataset } = await import(${JSON.stringify(LOCK)});
      lockDataset(${JSON.stringify(store.root)}, { id: 'venue.btc_usdt.1min', work: 'imports into' });
      console.log('held');
      setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', program]);
    onTestFinished(() => void other.kill('SIGKILL'));
    await once(other.stdout, 'data');
    expect(() => writerOf(store)).toThrow(`process ${other.pid} imports into it right now`);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(await writerOf(store).add({ rows: [candle(0)] })).toBe(1);
  });

  it('leaves a file that those may hold whom the umask lets write, as a group that shares it', () => {
    const store = new Store();
    const former = process.umask(0o002);
    onTestFinished(() => void process.umask(former));
    lockDataset(store.root, { id: 'venue.btc_usdt.1min', work: 'imports into' }).release();
    const { mode } = statSync(join(store.root, '.locks', 'venue.btc_usdt.1min.lock'));
    expect(mode & 0o777).toBe(0o664);
  });

  it.each(['the file of the lock, which locks nothing then', 'the folder of the locks'])(
    'refuses where another user has made %s',
    (what) => {
      const store = new Store();
      const folder = join(store.root, '.locks');
      mkdirSync(folder);
      const file = join(folder, 'venue.btc_usdt.1min.lock');
      chmodSync(store.root, 0o777);
      if (what !== 'the folder of the locks') {
        writeFileSync(file, '');
        chmodSync(file, 0o444);
        chmodSync(folder, 0o777);
      }
      const { stdout } = byNobody(
        `const { lockDataset } = await import(${JSON.stringify(LOCK)});
      try {
        lockDataset(${JSON.stringify(store.root)}, { id: 'venue.btc_usdt.1min', work: 'imports' });
      } catch ({ message }) {
        console.log(message);
      }`,
      );
      expect(stdout).toBe(
        `Cannot lock venue.btc_usdt.1min: you may not use ${file}, ` +
          'permission to read and write it is wanted\n',
      );
    },
  );
});
