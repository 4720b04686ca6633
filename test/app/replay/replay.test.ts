import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { replayRun } from '../../../src/app/replay/index.ts';
import { copyJournal, eventsIn } from '../../storage/fixture.ts';
import { deploymentFile, ROOT } from '../fixture.ts';
import { type RecordingOptions, recordedSession } from './fixture.ts';

const MAKER = { amount: 0.005, positionMax: 0.03, spread: 0.0005, volatilityLength: 10 };

const PROTECTED = new URL('../backtest/protected.ts', import.meta.url).pathname;

/** A replay of a session that was just recorded. */
async function replayed(options: RecordingOptions = {}) {
  const { path } = await recordedSession(options);
  return replayRun({ path });
}

function demoSettings(): Record<string, unknown> {
  const text = readFileSync(new URL('config/demo.yaml', ROOT), 'utf8');
  const { $schema: _, venue, ...settings } = parse(text);
  return { ...settings, venue: { ...venue, transport: 'process' } };
}

describe('replayRun', () => {
  it('decides as config/demo.yaml did', async () => {
    const report = await replayed({ settings: demoSettings() });
    expect(report).toMatchObject({ differences: [], differenceCount: 0, lostTimers: 0 });
    expect(report.recorded).toBeGreaterThan(50);
    expect(report.same).toBe(report.recorded);
  });

  it.each([
    ['market-maker', { ...MAKER }, 120_000],
    ['grid', { amount: 0.002, spacing: 0.0002, lines: 3 }, 120_000],
    ['ema-cross', { amount: 0.005, interval: '1min', fast: 2, slow: 3 }, 900_000],
    [`${new URL('noisy.ts', import.meta.url).pathname}`, {}, 120_000],
    [PROTECTED, { wishes: [0.005, 0], trailing: 0.0012, holdMaxMs: 15_000 }, 900_000],
  ])(
    'decides as %s did',
    async (use, params, durationMs) => {
      const report = await replayed({ settings: { strategies: [{ use, params }] }, durationMs });
      expect(report).toMatchObject({ differences: [], differenceCount: 0, lostTimers: 0 });
      expect(report.recorded).toBeGreaterThan(3);
      expect(report.same).toBe(report.recorded);
    },
    30_000,
  );

  it('shows where another parameter first decides otherwise', async () => {
    const { path } = await recordedSession();
    const strategies = [{ use: 'market-maker', params: { ...MAKER, spread: 0.0006 } }];
    const configFile = deploymentFile({ strategies });
    const report = await replayRun({ path, configFile, limit: 2 });
    expect(report.config.hash).not.toBe(report.run.configHash);
    expect(report.differenceCount).toBeGreaterThan(20);
    expect(report.differences).toHaveLength(2);
    const [first] = report.differences;
    expect(first).toMatchObject({ strategy: 'market-maker', kind: 'changed' });
    expect(first!.recorded!.sequence).toBeGreaterThan(0);
    expect(first!.replayed!.input!.event.kind).toBe('depth');
    expect(first!.replayed!.input).toEqual(first!.recorded!.input);
  });

  it('plays any run of the journal with the seed of that run', async () => {
    const use = new URL('noisy.ts', import.meta.url).pathname;
    const settings = { strategies: [{ use, params: {} }] };
    const { path } = await recordedSession({ settings, runs: 2, durationMs: 20_000 });
    const reports = [await replayRun({ path, run: 1 }), await replayRun({ path })];
    expect(reports.map(({ seed }) => seed)).toEqual(['seed 0', 'seed 1']);
    expect(reports.map(({ differenceCount }) => differenceCount)).toEqual([0, 0]);
  });

  it('plays a run that was killed as far as it is on disk', async () => {
    let copy = '';
    await recordedSession({
      onEnd: (path) => {
        copy = copyJournal(path);
      },
    });
    const report = await replayRun({ path: copy });
    expect(report.run.ended).toBeUndefined();
    expect(report.recorded).toBeGreaterThan(100);
    expect(report).toMatchObject({ differenceCount: 0, same: report.recorded });
  });
});

describe('a replay', () => {
  it('decides by what was held when fees were told later than fills', async () => {
    const use = new URL('hasty.ts', import.meta.url).pathname;
    const risk = {
      orderValueMax: 1e4,
      openValueMax: 1e5,
      positionValueMax: 1e5,
      dailyLossMax: 1e4,
    };
    const fees = { maker: 0, taker: 0.001 };
    const settings = { strategies: [{ use, params: {} }], fees, risk };
    const { path } = await recordedSession({ settings, durationMs: 20_000 });
    expect(eventsIn(path).filter(({ kind }) => kind === 'lateFee').length).toBeGreaterThan(3);
    const report = await replayRun({ path });
    expect(report).toMatchObject({ differences: [], differenceCount: 0 });
    expect(report.recorded).toBeGreaterThan(20);
  });

  it('tells of refusals where the recorded run did', async () => {
    const use = new URL('refused.ts', import.meta.url).pathname;
    const { path } = await recordedSession({
      settings: { strategies: [{ use }] },
      durationMs: 20_000,
    });
    const orders = eventsIn(path).flatMap((event) =>
      event.kind === 'intent' && event.intent.kind === 'order'
        ? { tag: event.intent.tag, time: event.time }
        : [],
    );
    const wishes = orders.map(({ tag }) => tag);
    expect(wishes.filter((tag) => /^risk \w+ much-\d/.test(tag)).length).toBeGreaterThan(10);
    expect(wishes.some((tag) => /^risk postOnlyCross taking/.test(tag))).toBe(true);
    // Its wishes in answer to refusals are refused too, of which it hears once a second.
    const answers = orders.filter(({ tag }) => tag.startsWith('risk'));
    const moments = new Set(answers.map(({ time }) => time));
    expect(moments.size).toBeGreaterThan(15);
    expect(moments.size).toBeLessThan(22);
    const report = await replayRun({ path });
    expect(report).toMatchObject({ differences: [], differenceCount: 0, lostTimers: 0 });
    expect(report.same).toBe(wishes.length);
  });

  it('says what a strategy that is gone from the settings decided', async () => {
    const { path } = await recordedSession({ durationMs: 10_000 });
    const strategies = [{ use: 'grid', params: { amount: 0.002 } }];
    const report = await replayRun({ path, configFile: deploymentFile({ strategies }) });
    const kinds = new Set(report.differences.map(({ strategy, kind }) => `${strategy} ${kind}`));
    expect(kinds).toContain('market-maker missing');
    expect(kinds).toContain('grid extra');
  });

  it('refuses a journal without market data', async () => {
    const { path } = await recordedSession({
      settings: { journal: { marketData: false } },
      durationMs: 5_000,
    });
    await expect(replayRun({ path })).rejects.toThrow(
      `Cannot replay run 1 of ${path}: it was recorded without market data`,
    );
  });

  it('says which runs there are', async () => {
    const { path } = await recordedSession({ durationMs: 1_000 });
    await expect(replayRun({ path, run: 7 })).rejects.toThrow(/: it has run 1$/);
    await expect(replayRun({ path: `${path}s` })).rejects.toThrow('there is no such file');
    await expect(replayRun({ path: dirname(path) })).rejects.toThrow('it is a folder');
    const lines = `${path}.jsonl`;
    writeFileSync(lines, '{}');
    await expect(replayRun({ path: lines })).rejects.toThrow('it holds the lines of a backtest, ');
  });
});
