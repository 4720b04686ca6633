import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishRun, loadBacktest, runBacktest } from '../../../../src/app/backtest/index.ts';
import { parseMetrics } from '../../../../src/report/index.ts';
import { Chains, runHash, TextBytes } from '../../../../src/storage/index.ts';
import { scratchFolder } from '../../fixture.ts';
import { checkedDeployment } from '../checks-fixture.ts';
import { backtestFile, minuteSource } from '../fixture.ts';

const deployment = () => checkedDeployment({ backtest: { report: { html: false } } });
const newPath = () => join(scratchFolder(), 'runs', 'run');
const journalOf = (folder: string) => readFileSync(join(folder, 'journal.jsonl'), 'utf8');

describe('the folder of a run', () => {
  it('has the lines that the hash is over, behind a line on the inputs', async () => {
    const run = await finishRun({ deployment: deployment(), out: newPath() });
    const [head, ...lines] = journalOf(run.folder).trimEnd().split('\n');
    const { kind, marks, interrupted, period } = JSON.parse(head!);
    expect([kind, interrupted, Object.keys(marks)]).toEqual(['inputs', false, ['btc_usdt']]);
    expect(period.to).toBe(Date.UTC(2024, 0, 3));
    const chains = new Chains();
    for (const [at, line] of lines.entries()) chains.add(at + 1, { line, isMarketData: false });
    expect(runHash(chains.state)).toBe(run.hash);
    expect(readdirSync(dirname(run.folder))).toEqual(['run']);
    expect(statSync(run.folder).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  it('is beside its place while the run goes on, and not yet there', async () => {
    const out = newPath();
    const seen: string[][] = [];
    const onProgress = () => {
      seen.push(readdirSync(dirname(out)));
      return true;
    };
    await finishRun({ deployment: deployment(), out, onProgress });
    expect(seen[0]).toEqual([expect.stringMatching(/^run\.unfinished-/)]);
  });

  it('is finished and marked when the run is interrupted', async () => {
    const out = newPath();
    const run = await finishRun({ deployment: deployment(), out, onProgress: () => false });
    expect(run.interrupted).toBe(true);
    expect(journalOf(out)).toContain('"interrupted":true');
    const { stopped, period } = parseMetrics(readFileSync(join(out, 'metrics.json'), 'utf8'));
    expect(stopped).toEqual({ at: period.to, end: Date.UTC(2024, 0, 3) });
    expect(readdirSync(dirname(out))).toEqual(['run']);
  });

  it('leaves nothing of a run that failed', async () => {
    const out = newPath();
    const onProgress = () => {
      throw new Error('no more');
    };
    const failing = finishRun({ deployment: deployment(), out, onProgress });
    await expect(failing).rejects.toThrow('no more');
    expect(readdirSync(dirname(out))).toEqual([]);
  });

  it('tells missing candles where it tells of its end, and how many findings more the report has', async () => {
    const minutes = [0, 1, 4, 5, 9, 10].map((at) => ({ at, close: 100 }));
    const file = backtestFile({
      strategies: [{ use: './scripted.ts', params: { wishes: {} } }],
      backtest: { balances: { usdt: '10000' }, report: { html: false } },
    });
    const run = await finishRun({
      ...{ deployment: loadBacktest(file), sources: [minuteSource(minutes)], out: newPath() },
    });
    const note =
      'test: 5 candles are missing, in 2 places; the longest hole, of 3 candles, is from ' +
      '2024-01-01 00:06 to 2024-01-01 00:09 UTC. 2 more findings under Data in the report.';
    expect(run.notes).toEqual([note]);
    const { coverage } = parseMetrics(readFileSync(join(run.folder, 'metrics.json'), 'utf8'));
    expect(coverage).toEqual({ test: expect.closeTo(6 / 11, 12) });
  });

  it('ends a run whose journal cannot be kept', async () => {
    const text = new TextBytes();
    const commit = () => {
      if (text.length > 10_000) throw new Error('disk full');
    };
    const sink = { text, added: () => {}, commit };
    await expect(runBacktest({ deployment: deployment(), sink })).rejects.toThrow('disk full');
  });
});

describe('the folder of a run, where there is one,', () => {
  it('takes it over and leaves what else is in it', async () => {
    const out = newPath();
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'notes.txt'), 'mine');
    await finishRun({ deployment: deployment(), out });
    expect(readFileSync(join(out, 'notes.txt'), 'utf8')).toBe('mine');
    expect(existsSync(join(out, 'journal.jsonl'))).toBe(true);
    expect(readdirSync(dirname(out))).toEqual(['run']);
  });

  it('has the run in it while that goes on: it may be a disk of its own', async () => {
    const out = newPath();
    mkdirSync(out, { recursive: true });
    const seen: string[][] = [];
    const onProgress = () => {
      seen.push(readdirSync(out), readdirSync(dirname(out)));
      return true;
    };
    await finishRun({ deployment: deployment(), out, onProgress });
    expect(seen.slice(0, 2)).toEqual([[expect.stringMatching(/^\.unfinished-/)], ['run']]);
    expect(readdirSync(out).filter((file) => file.startsWith('.'))).toEqual([]);
  });

  it('is none at once where a file has its name', async () => {
    const out = newPath();
    mkdirSync(dirname(out));
    writeFileSync(out, 'a file');
    const failing = finishRun({ deployment: deployment(), out });
    await expect(failing).rejects.toMatchObject({
      reason: 'recording',
      message: `Cannot write the run to ${out}: ${out} is no folder, one is wanted`,
    });
  });

  it('is refused a run before it begins where another one is, which stays as it is', async () => {
    const out = newPath();
    await finishRun({ deployment: deployment(), out });
    const before = journalOf(out);
    let isRun = false;
    const onProgress = () => {
      isRun = true;
      return true;
    };
    const again = finishRun({ deployment: deployment(), out, onProgress });
    await expect(again).rejects.toMatchObject({
      reason: 'recording',
      message:
        `Cannot write the run to ${out}: journal.jsonl of another run is there, ` +
        'another folder or --force is wanted',
    });
    expect(isRun).toBe(false);
    expect(journalOf(out)).toBe(before);
    expect(readdirSync(dirname(out))).toEqual(['run']);
  });

  it('takes another run by force, of which nothing stays', async () => {
    const out = newPath();
    mkdirSync(out, { recursive: true });
    for (const file of ['notes.txt', 'metrics.json', 'report.html']) {
      writeFileSync(join(out, file), 'mine');
    }
    await finishRun({ deployment: deployment(), out, force: true });
    expect(readFileSync(join(out, 'notes.txt'), 'utf8')).toBe('mine');
    expect(JSON.parse(readFileSync(join(out, 'metrics.json'), 'utf8'))).toBeTypeOf('object');
    expect(existsSync(join(out, 'report.html'))).toBe(false);
    expect(readdirSync(dirname(out))).toEqual(['run']);
  });
});

describe('the folder of a run, where there can be none,', () => {
  it('is none at once where a link leads nowhere or in circles, or its name is too long', async () => {
    const folder = scratchFolder();
    const places = ['nowhere', 'circle', 'n'.repeat(300)].map((name) => join(folder, name));
    const [nowhere, circle, long] = places as [string, string, string];
    symlinkSync('nothing', nowhere);
    symlinkSync('circle', circle);
    const failing = places.map((out) =>
      finishRun({ deployment: deployment(), out }).catch(({ message }: Error) => message),
    );
    expect(await Promise.all(failing)).toEqual([
      `Cannot write the run to ${nowhere}: ${nowhere} is a link to nothing, one to a folder is wanted`,
      `Cannot write the run to ${circle}: links on the way to ${circle} lead back to themselves, ` +
        'others are wanted',
      `Cannot write the run to ${long}: a name in ${long} is too long, a shorter one is wanted`,
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(['circle', 'nowhere']);
  });

  it.runIf(existsSync('/proc/self'))('is none at once where the system takes none', async () => {
    for (const out of ['/proc', '/proc/run', '/proc/a/run']) {
      const failing = finishRun({ deployment: deployment(), out });
      await expect(failing).rejects.toThrow(
        `Cannot write the run to ${out}: no folder can be made in /proc, another place is wanted`,
      );
    }
  });
});

describe('config.yaml in the folder of a run', () => {
  it('runs a strategy of ones own again from there, to the same hash and name', async () => {
    const settings = {
      strategies: [{ use: './scripted.ts', params: { wishes: { 3: 0.001, 30: 0 } } }],
      backtest: {
        ...{ from: '2024-01-01', to: '2024-01-02', balances: { usdt: '10000' } },
        ...{ generate: { btc_usdt: { startPrice: 30_000 } }, report: { html: false } },
      },
    };
    const file = backtestFile(settings);
    const folders = ['runs/one', 'again/and/again'].map((name) => join(dirname(file), name));
    const first = await finishRun({ deployment: loadBacktest(file), out: folders[0]! });
    const deployment = loadBacktest(join(first.folder, 'config.yaml'));
    const again = await finishRun({ deployment, out: folders[1]! });
    expect(again.hash).toBe(first.hash);
    const metrics = folders.map((folder) => readFileSync(join(folder, 'metrics.json'), 'utf8'));
    expect(parseMetrics(metrics[1]!)).toEqual(parseMetrics(metrics[0]!));
    expect(parseMetrics(metrics[0]!).counts.fills).toBeGreaterThan(0);
    const third = loadBacktest(join(again.folder, 'config.yaml')).config.strategyFolder;
    expect(third).toBe('../../..');
  });
});
