import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onDisk } from '../../../src/app/history/disk.ts';
import {
  checkData,
  exportData,
  importData,
  openDatasets,
  resampleData,
} from '../../../src/app/history/index.ts';
import type { ImportResult } from '../../../src/history/index.ts';
import { candles, json, Store } from '../../history/store/fixture.ts';
import { scratchFolder } from '../fixture.ts';

/** A folder with a dataset of ten minutes each of some sources. */
async function folderWith(sources: readonly string[]): Promise<string> {
  const root = scratchFolder();
  const file = join(scratchFolder(), 'btc_usdt.json');
  writeFileSync(file, json(candles(0, 10)));
  for (const source of sources) await importData({ root, files: [file], source });
  return root;
}

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it worked',
    (thrown: Error) => thrown.message,
  );

describe('datasetNamed', () => {
  it('tells the name that was meant, or the few that are nearest', async () => {
    const root = await folderWith(['aaa', 'bbb', 'ccc', 'ddd', 'eee']);
    const checked = (id: string): Promise<string> => failure(checkData(root, [id]));
    const what = (id: string) =>
      `Cannot use dataset "${id}": the folder ${root} has none of that name`;
    expect(await checked('ddd.btc_usdt.1mn')).toBe(
      `${what('ddd.btc_usdt.1mn')}, did you mean "ddd.btc_usdt.1min"?`,
    );
    expect(await checked('eth')).toBe(
      `${what('eth')}, one of eee.btc_usdt.1min, aaa.btc_usdt.1min, bbb.btc_usdt.1min ` +
        'or another of 5 is wanted, `tradewind data list` shows them',
    );
    const [few, none] = [await folderWith(['one']), scratchFolder()];
    expect(await failure(checkData(few, ['x']))).toMatch(/, one of one\.btc_usdt\.1min is wanted$/);
    expect(await failure(checkData(none, ['x']))).toMatch(/, `tradewind data import` makes one$/);
  });

  it('names the dataset of a folder in which another is broken', async () => {
    const root = await folderWith(['aaa', 'bbb']);
    writeFileSync(join(root, 'aaa.btc_usdt.1min', 'manifest.json'), '');
    const file = join(root, 'out.csv');
    expect((await exportData({ root, id: 'bbb.btc_usdt.1min', file })).rows).toBe(10);
    expect(await checkData(root, ['bbb.btc_usdt.1min'])).toMatchObject([{ findings: [] }]);
    expect(await failure(checkData(root, []))).toMatch(/aaa\.btc_usdt\.1min.manifest\.json/);
  });
});

describe('resampleData', () => {
  it('warns of gaps that candles hide, but of none behind all rows', async () => {
    const store = new Store();
    const { root } = store;
    const trade = (second: number) => [second * 1_000, undefined, `${second}`, 100, 1, 1];
    const gap = { from: 20_000, to: 40_000, reason: 'cable cut' };
    const open = { from: 50_000, to: 70_000, reason: 'nothing was recorded' };
    const rows = [10, 20, 40, 50].map(trade);
    const { id } = await store.record(rows, { kind: 'trades', gaps: [gap, open] });
    expect((await resampleData({ root, id, resolution: '1min' })).warnings).toEqual([
      'candles of venue.btc_usdt.1min may lack what was traded: venue.btc_usdt.trades has 1 ' +
        'recorded gap, the first from 1970-01-01T00:00:20.000Z to 1970-01-01T00:00:40.000Z (cable cut)',
    ]);
  });

  it('warns of volumes that count quotes, and a check shows them', async () => {
    const store = new Store();
    const { root } = store;
    const { id } = await store.record([[1_000, undefined, 1.1, 5, 1.2, 5]], { kind: 'quotes' });
    const { dataset, warnings } = await resampleData({ root, id, resolution: '1min' });
    expect(warnings).toEqual([
      'the amounts of venue.btc_usdt.1min count quotes, not the base currency, and are kept as they ' +
        'are: fills that depend on amounts mean nothing with them; a backtest on them needs ' +
        'backtest.fill.volumeCap: null',
    ]);
    expect(await checkData(root, [dataset.id])).toMatchObject([
      { findings: [{ fault: 'other unit', count: 1 }] },
    ]);
  });

  it('warns of a length that no backtest can replay', async () => {
    const root = await folderWith(['one']);
    const built = (resolution: string) =>
      resampleData({ root, id: 'one.btc_usdt.1min', resolution });
    expect((await built('5min')).warnings).toEqual([]);
    const { dataset, warnings } = await built('2min');
    expect(dataset.rows).toBe(5);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^no backtest can replay one\.btc_usdt\.2min: its candles of 2min are none of 1min, 3min, /,
      ),
    ]);
  });
});

describe('resampleData, of rows whose price cannot be,', () => {
  const resampled = async (head: string, rows: readonly (readonly number[])[]) => {
    const [root, file] = [scratchFolder(), join(scratchFolder(), 'btc_usdt.csv')];
    writeFileSync(file, [head, ...rows].join('\n'));
    const [{ dataset }] = (await importData({
      root,
      files: [file],
      resolution: head.includes('open') ? '1min' : undefined,
    })) as [ImportResult];
    return { root, ...(await resampleData({ root, id: dataset.id, resolution: '5min' })) };
  };

  it('leaves candles out and says how many', async () => {
    const lows = [4, 0, 3, -1, 4];
    const rows = lows.map((low, minute) => [1_704_067_200 + 60 * minute, 5, 6, low, 5.5, 10]);
    const { root, dataset, warnings } = await resampled('time,open,high,low,close,volume', rows);
    expect(warnings).toEqual([
      '2 candles of local.btc_usdt.1min with a price of 0 or below were left out',
    ]);
    const file = join(root, 'out.csv');
    await exportData({ root, id: dataset.id, file });
    expect(readFileSync(file, 'utf8')).toMatch(/,5\.0,6\.0,3\.0,5\.5,30\.0$/m);
  });

  it('leaves trades out and says how many', async () => {
    const trades = [1, 2].map((second) => [1_704_067_200 + second, 5 * (second - 1), 1]);
    expect((await resampled('time,price,amount', trades)).warnings).toEqual([
      '1 trade of local.btc_usdt.trades with a price of 0 or below, or with an amount below 0, ' +
        'was left out',
    ]);
  });
});

/** Paths that no folder of datasets can have, with what is said of them. */
function oddPlaces(): [root: string, words: string][] {
  const folder = scratchFolder();
  const [nowhere, circle, long] = ['nowhere', 'circle', 'n'.repeat(300)].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  symlinkSync('nothing', nowhere);
  symlinkSync('circle', circle);
  return [
    [nowhere, `${nowhere} is a link to nothing, one to a folder is wanted`],
    [circle, `links on the way to ${circle} lead back to themselves, others are wanted`],
    [long, `a name in ${long} is too long, a shorter one is wanted`],
  ];
}

describe('a folder of datasets that can be none', () => {
  it('is refused in words by whoever looks into it', async () => {
    for (const [root, words] of oddPlaces()) {
      const told = `Cannot read the folder of datasets: ${words}`;
      expect(() => openDatasets(root)).toThrow(told);
      expect(await failure(checkData(root, []))).toBe(told);
      expect(await failure(checkData(root, ['one']))).toBe(told);
      expect(await failure(resampleData({ root, id: 'one', resolution: '5min' }))).toBe(told);
    }
  });

  it('is refused in words by whoever adds to it', async () => {
    for (const [root, words] of oddPlaces()) {
      expect(await failure(importData({ root, files: ['a.csv'] }))).toBe(`Cannot import: ${words}`);
    }
  });

  it.runIf(existsSync('/proc/self'))('is refused at once where the system takes none', async () => {
    const words = 'Cannot import: no folder can be made in /proc, another place is wanted';
    for (const root of ['/proc', '/proc/a/b']) {
      expect(await failure(importData({ root, files: ['a.csv'] }))).toBe(words);
    }
  });

  it('is empty where it is not there yet', () => {
    expect(openDatasets(join(scratchFolder(), 'none')).datasets).toEqual([]);
  });
});

describe('onDisk', () => {
  it('says what is wrong with a folder that is none, and where there is no permission', async () => {
    const root = join(scratchFolder(), 'file');
    writeFileSync(root, '');
    const files = ['none.csv'];
    const wanted = `${root} is no folder, one is wanted`;
    expect(await failure(importData({ root, files }))).toBe(`Cannot import: ${wanted}`);
    expect(() => openDatasets(root)).toThrow(`Cannot read the folder of datasets: ${wanted}`);
  });

  it('says that a file of a dataset is gone or damaged', async () => {
    const root = await folderWith(['aaa']);
    const id = 'aaa.btc_usdt.1min';
    const [part = ''] = readdirSync(join(root, id)).filter((name) => name.endsWith('.parquet'));
    const path = join(root, id, part);
    const advice = '`tradewind data remove` of its dataset and a new import or download are wanted';
    truncateSync(path, 100);
    expect(await failure(checkData(root, [id]))).toBe(
      `Cannot check ${id}: ${path} is damaged, ${advice}`,
    );
    truncateSync(path, 3);
    expect(await failure(checkData(root, [id]))).toBe(
      `Cannot check ${id}: ${path} is damaged, ${advice}`,
    );
    rmSync(path);
    expect(await failure(checkData(root, []))).toBe(
      `Cannot check ${id}: ${path} is gone, ${advice}`,
    );
    const gone = join(root, id, 'former.parquet');
    const reading = () =>
      Promise.reject(new Error(`No files found that match the pattern "${gone}"`));
    expect(await failure(onDisk('read', reading))).toBe(
      `Cannot read: ${gone} is gone, because the dataset was changed meanwhile; another try is wanted`,
    );
  });

  it.each([
    ["Invalid Error: don't know what type: \u000f", 'a file of it is damaged, '],
    ['Invalid Error: TProtocolException: Invalid data', 'a file of it is damaged, '],
    ['Failed to read file "a.parquet": ZSTD Decompression failure', 'a.parquet is damaged, '],
    ['Could not read enough bytes from file "a.parquet": attempted', 'a.parquet is damaged, '],
    [
      'Out of Memory Error: failed to pin block of size 256.0 KiB',
      'it does not fit into the memory',
    ],
    ['Cannot open file "a.parquet": Permission denied', 'you may not use a.parquet, permission'],
  ])('has words for the database: %s', async (said, told) => {
    const reading = () => Promise.reject(new Error(said));
    expect(await failure(onDisk('read', reading))).toContain(`Cannot read: ${told}`);
  });
});
