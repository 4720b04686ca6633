import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDataset, exportDataset, resample } from '../../../src/history/index.ts';
import { withDatabase } from '../../../src/history/store/database.ts';
import { firstStampsOf } from '../../../src/history/store/import/stage-raw.ts';
import { literal } from '../../../src/history/store/sql.ts';
import { withWorkFolder } from '../../../src/history/store/work-folder.ts';
import { byNobody } from '../../nobody.ts';
import { candles, depthRows, json, Store } from './fixture.ts';

const WORK_FOLDER = new URL('../../../src/history/store/work-folder.ts', import.meta.url).href;

const STOPPED = { signal: AbortSignal.abort('SIGTERM') };

/** The folders of a store that are no dataset's. */
function hidden(store: Store): string[] {
  return readdirSync(store.root).filter((name) => name.startsWith('.tradewind'));
}

describe('importFiles, when it is told to stop,', () => {
  it('imports nothing, says so and leaves no folder', async () => {
    const store = new Store();
    const file = store.file('BTC_USDT.json', json(candles(0, 3)));
    const answer = store.file('ETH_USDT.json', `{"code":0,"data":${json(candles(0, 3))}}`);
    const said = 'Interrupted by SIGTERM: nothing was imported';
    for (const one of [file, answer])
      await expect(store.import(one, STOPPED)).rejects.toThrow(said);
    expect([store.ids(), hidden(store)]).toEqual([[], []]);
  });

  it('names a dataset that has its rows already, though nothing was looked for in them', async () => {
    const store = new Store();
    const controller = new AbortController();
    const { signal } = controller;
    signal.throwIfAborted = () => {
      if (store.ids().length > 0) controller.abort('SIGINT');
      AbortSignal.prototype.throwIfAborted.call(signal);
    };
    const file = store.file('BTC_USDT.json', json(candles(0, 3)));
    await expect(store.import(file, { signal })).rejects.toThrow(
      'Interrupted by SIGINT: local.btc_usdt.1min was imported before',
    );
    expect([store.ids(), hidden(store)]).toEqual([['local.btc_usdt.1min'], []]);
  });

  it('reads no recording on', async () => {
    const file = new Store().file(
      'btcusdt',
      '1700000040000000000 {"e":"aggTrade","s":"BTCUSDT"}\n',
    );
    await expect(firstStampsOf(file, STOPPED)).rejects.toThrow('aborted');
  });
});

it('importFiles names what it had imported before a dataset that it could not', async () => {
  const store = new Store();
  const first = store.file('BTC_USDT.json', json(candles(0, 3)));
  const second = store.file('ETH_USDT.json', json(candles(0, 3)));
  await store.import(second);
  await expect(store.import([first, second])).rejects.toThrow(
    /^Cannot import ETH_USDT\.json: .* is wanted; local\.btc_usdt\.1min was imported before$/,
  );
});

it('resample, exportDataset and checkDataset, told to stop, leave nothing and say so', async () => {
  const store = new Store();
  const dataset = await store.import(store.file('BTC_USDT.json', json(candles(0, 12))));
  const { root } = store;
  await expect(resample(dataset, { root, resolution: '5min', ...STOPPED })).rejects.toThrow(
    'Interrupted by SIGTERM: nothing was resampled',
  );
  const file = join(root, 'out.csv');
  await expect(exportDataset(dataset, { file, ...STOPPED })).rejects.toThrow(
    'Interrupted by SIGTERM: nothing was exported',
  );
  await expect(checkDataset(dataset, { others: [], ...STOPPED })).rejects.toThrow(
    `Interrupted by SIGTERM: ${dataset.id} was not checked`,
  );
  expect(readdirSync(root).sort()).toEqual(['.files', '.locks', dataset.id]);
});

it('checkDataset, told to stop amid depth, reads no more of it', async () => {
  const dataset = await new Store().record(depthRows([[0, 'snapshot', 'buy', 100, 1]]));
  const controller = new AbortController();
  const { signal } = controller;
  let steps = 0;
  signal.throwIfAborted = () => {
    if (++steps > 1) controller.abort('SIGINT');
    AbortSignal.prototype.throwIfAborted.call(signal);
  };
  await expect(checkDataset(dataset, { others: [], signal })).rejects.toThrow(
    `Interrupted by SIGINT: ${dataset.id} was not checked`,
  );
});

it('withDatabase interrupts a query that runs', async () => {
  const { root } = new Store();
  const stop = new AbortController();
  const watcher = watch(root, () => stop.abort('SIGINT'));
  onTestFinished(() => watcher.close());
  const endless = `COPY (SELECT count(range) FROM range(1000000000000)) TO ${literal(join(root, 'endless.csv'))}`;
  const work = withDatabase((database) => database.run(endless), { signal: stop.signal });
  await expect(work).rejects.toThrow(/interrupt/i);
});

describe('withWorkFolder', () => {
  it('leaves the folder of a living process alone, and removes that of one that was killed', async () => {
    const store = new Store();
    const program = `const { withWorkFolder } = await import(${JSON.stringify(WORK_FOLDER)});
      await withWorkFolder(${JSON.stringify(store.root)}, (folder) => {
        console.log(folder);
        return new Promise((resolve) => setTimeout(resolve, 1_000_000));
      });`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', program]);
    onTestFinished(() => void other.kill('SIGKILL'));
    const [folder] = await once(other.stdout, 'data');
    writeFileSync(join(String(folder).trim(), 'rows.parquet'), 'half');
    expect(await withWorkFolder(store.root, async () => hidden(store).length)).toBe(2);
    expect(hidden(store)).toHaveLength(1);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(await withWorkFolder(store.root, async () => hidden(store).length)).toBe(1);
    expect(hidden(store)).toEqual([]);
  });

  it('removes the folder that it made and cannot hold', () => {
    const store = new Store();
    chmodSync(store.root, 0o777);
    const { stdout } = byNobody(
      `import { withWorkFolder } from ${JSON.stringify(WORK_FOLDER)};
      // Folders made from here on cannot be written to.
      process.umask(0o222);
      await withWorkFolder(process.argv[1], async () => {}).catch(() => console.log('refused'));`,
      store.root,
    );
    expect([stdout, hidden(store)]).toEqual(['refused\n', []]);
  });

  it('leaves alone what only has such a name', async () => {
    const store = new Store();
    mkdirSync(join(store.root, '.tradewind-mine'));
    await withWorkFolder(store.root, async () => {});
    expect(hidden(store)).toEqual(['.tradewind-mine']);
  });
});
