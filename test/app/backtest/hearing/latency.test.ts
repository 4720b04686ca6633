import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../../src/app/backtest/index.ts';
import { wholeCurve } from '../../../report/fixture.ts';
import { scratchFile, scratchFolder, scratchPipe } from '../../fixture.ts';
import { replayed, START_MS } from '../fixture.ts';
import { tickDataset, tickRun, tradeRows } from '../tick-fixture.ts';

const minutes = [100, 101, 102].map((close) => ({ close }));

/** Replays three minutes with the latencies of a file. */
const measured = (file: string) =>
  replayed({ minutes, script: { 0: 0 }, backtest: { latency: { order: { measured: file } } } });

const lines = (...times: number[]): string => times.map((time) => `${time},20\n`).join('');

describe('measured latencies', () => {
  it.each([
    ['ahead of', 'last', START_MS - 120_000],
    ['behind', 'first', START_MS + 3_600_000],
  ])('warn where all of them are %s the period: the %s one counts', async (side, one, time) => {
    const file = scratchFile('latency.csv', lines(time, time + 1_000));
    const { record } = await measured(file);
    expect(record.notes).toEqual([
      expect.stringMatching(
        `^backtest.latency.order: .*latency.csv was measured from .* UTC, ` +
          `all ${side} the period: its ${one} latency counts throughout\\.$`,
      ),
    ]);
  });

  it('warn of nothing where some of them are within the period, or have no times', async () => {
    for (const text of [lines(START_MS + 1_000, START_MS + 9e9), '20\n30\n']) {
      expect((await measured(scratchFile('latency.csv', text))).record.notes).toEqual([]);
    }
  });

  it('are refused once, with the file and what is wanted', async () => {
    const empty = scratchFile('latency.csv', '');
    await expect(measured(empty)).rejects.toThrow(
      /: Cannot read the latencies of [^:]*latency.csv: it holds no latency, at least one is wanted$/,
    );
    const folder = join(scratchFolder(), 'folder');
    mkdirSync(folder);
    await expect(measured(folder)).rejects.toThrow(/ is a folder, a file is wanted$|EISDIR/);
    await expect(measured(join(folder, 'none.csv'))).rejects.toThrow(
      /: Cannot read the latencies of .*: there is no .*none.csv, one is wanted$/,
    );
    await expect(measured(scratchPipe())).rejects.toThrow(
      /: Cannot read the latencies of .*pipe: it is a named pipe, .* a file is wanted$/,
    );
  });
});

describe('the end of a run with latencies', () => {
  it('counts the money of an order that was under way', async () => {
    // Each order is answered 1.6 s after its trade, the last one while the bot stops.
    const seconds = [1, 2, 3, 4, 5, 6, 7];
    const rows = tradeRows(seconds.map((at) => [at, 'buy', 100] as const));
    const { root } = await tickDataset({ kind: 'trades', rows });
    const deployment = tickRun(
      { root, kind: 'trades' },
      {
        backtest: {
          latency: { order: 700, answer: 900 },
          fees: { maker: 0.01, taker: 0.01, in: 'quote' },
        },
      },
    );
    const { record } = await runBacktest({ deployment });
    const spent = Array.from(record.fills, ({ value, fee }) => value.plus(fee).toNumber());
    expect(spent.length).toBeGreaterThan(2);
    const { cash } = wholeCurve(record);
    expect(cash.at(-1)).toBeCloseTo(10_000 - spent.reduce((sum, each) => sum + each), 8);
  });
});

describe('a latency of market data', () => {
  it.each([
    ['stated', { constantMs: 250 }],
    ['drawn from samples', { samplesMs: [250] }],
    ['drawn from a distribution', { lognormal: { medianMs: 250, sigma: 0 } }],
  ])('that is %s holds for every trade', async (_how, feed) => {
    const rows = tradeRows([1, 2, 30].map((at) => [at, 'buy', 100] as const));
    const { root } = await tickDataset({ kind: 'trades', rows });
    const { record } = await runBacktest({
      deployment: tickRun({ root, kind: 'trades' }, { backtest: { latency: { feed } } }),
    });
    const times = Array.from(record.fills, ({ time }) => (time - START_MS) / 1_000);
    expect(times).toEqual([1.25, 2.25, 30.25]);
  });

  it.each([
    ['drawn', { samplesMs: [1, 2] }],
    ['recorded', { recorded: 'shift' }],
  ])('that is %s is refused of candles, and its place is named', async (_how, feed) => {
    await expect(
      replayed({ minutes, script: {}, backtest: { latency: { feed } } }),
    ).rejects.toThrow(
      /^\S+:\d+:\d+: Cannot use backtest\.latency\.feed: it varies, of candles a constant number /,
    );
  });
});

describe('recorded latencies', () => {
  it('hold for rows that do not say when they were received, too', async () => {
    const rows = tradeRows([1, 2, 30, 31].map((at) => [at, 'buy', 100] as const));
    // As where a download goes on with what was recorded.
    const received = [undefined, START_MS + 2_400, undefined, undefined];
    const stamped = rows.map((row, at) => row.with(1, received[at]));
    const { root } = await tickDataset({ kind: 'trades', rows: stamped });
    const backtest = { latency: { feed: { recorded: 'refuse' } } };
    const { record } = await runBacktest({
      deployment: tickRun({ root, kind: 'trades' }, { backtest }),
    });
    const times = Array.from(record.fills, ({ time }) => (time - START_MS) / 1_000);
    expect(times).toEqual([1.4, 2.4, 30.4, 31.4]);
  });
});
