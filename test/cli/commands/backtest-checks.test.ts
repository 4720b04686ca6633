import { describe, expect, it } from 'vitest';
import { checkLookahead, checkWarmUp, type WarmUpReport } from '../../../src/app/backtest/index.ts';
import {
  isTooShort,
  lookaheadLines,
  warmUpLines,
} from '../../../src/cli/commands/backtest-checks.ts';
import { plain } from '../../../src/cli/style.ts';
import { checkedDeployment } from '../../app/backtest/checks-fixture.ts';

const THROWER = new URL('thrower.ts', import.meta.url).pathname;
const PEEKER = new URL('../../app/backtest/peeker.ts', import.meta.url).pathname;

it('lookaheadLines shows a cheat with what it decided with and without the future', async () => {
  const deployment = checkedDeployment({ strategies: [{ use: PEEKER, name: 'peeker' }] });
  const text = lookaheadLines(await checkLookahead({ deployment, cuts: 1 }), plain).join('\n');
  expect(text).toMatch(/data until +wishes alike +decisions and orders/);
  expect(text).toMatch(/2024-01-02T00:00:00.000Z +\d+ +DIFFERENT after them/);
  expect(text).toMatch(/cut data {2}2024-01-01T\S+ peeker: target btc_usdt 0\.01/);
  expect(text).toMatch(
    /depend on data that were still to come, on earlier runs, on chance or on the machine's clock$/,
  );
});

it('warmUpLines says which length is enough, and whether the configured one is', async () => {
  const report = await checkWarmUp({ deployment: checkedDeployment(), starts: 2 });
  const lines = warmUpLines(report, plain);
  expect(lines[2]).toMatch(/^warm-up +wishes +first difference +Return +Max drawdown +Trades$/);
  expect(lines[3]).toMatch(/^0 h \(configured\) +\d+ +(none|\S+Z) +[+-]?[\d.]+ % /);
  expect(lines.at(-2)).toMatch(
    /^from \d+ h of warm-up on, every wish is the same as with the longest$/,
  );
});

const HOUR_MS = 3_600_000;

describe('warmUpLines, of a configured length that agrees with the longest', () => {
  const reportOf = (parting: readonly number[], configuredHours = 0): WarmUpReport => ({
    ...{ fromMs: 0, periodFromMs: 0, toMs: HOUR_MS, interrupted: false },
    ...{ endings: [], isOver: false, isLost: false, repeated: [], settledMs: undefined },
    runs: [0, 1, 3, 7].map((hours) => ({
      ...{ warmUpMs: hours * HOUR_MS, isConfigured: hours === configuredHours, intents: 1 },
      parting: parting.includes(hours)
        ? { time: 0, own: undefined, longest: undefined }
        : undefined,
      figures: [],
    })),
  });
  const verdictOf = (...given: Parameters<typeof reportOf>) =>
    warmUpLines(reportOf(...given), plain).slice(-2);

  it('does not call it long enough where a longer one does not', () => {
    expect(verdictOf([1, 3])).toEqual([
      'there is no shorter warm-up from which on every wish is the same as with the longest',
      'the configured warm-up is not known to be long enough (backtest.warmUpHours): it has the same wishes as the longest, but 1 h and 3 h, which are longer, have not',
    ]);
    expect(verdictOf([3]).at(-1)).toContain('but 3 h, which is longer, has not');
  });

  it('calls it long enough where shorter ones alone do not', () => {
    const verdict = 'the configured warm-up is long enough (backtest.warmUpHours)';
    expect(verdictOf([0], 1).at(-1)).toBe(verdict);
    expect(verdictOf([0, 3], 7).at(-1)).toBe(verdict);
  });

  it('ends with the code of a fault while it is not known to be enough', () => {
    expect(isTooShort(reportOf([1, 3]))).toBe(true);
    expect(isTooShort(reportOf([0], 1))).toBe(false);
    expect(isTooShort({ ...reportOf([1, 3]), isLost: true })).toBe(false);
  });
});

it('warmUpLines tells which part of the period became warm-up', async () => {
  const report = await checkWarmUp({ deployment: checkedDeployment(), starts: 1 });
  expect(warmUpLines(report, plain)[1]).toBe(
    'the data ahead of the period are no longer than the configured warm-up: its first 12 h, from 2024-01-01T00:00:00.000Z on, serve as warm-up here',
  );
  const lines = warmUpLines({ ...report, periodFromMs: report.fromMs }, plain);
  expect(lines.join('\n')).not.toContain('serve as warm-up here');
});

describe('warmUpLines, of long lengths,', () => {
  const run = (hours: number, isConfigured = false): WarmUpReport['runs'][number] => ({
    ...{ warmUpMs: hours * HOUR_MS, isConfigured, intents: 1, parting: undefined, figures: [] },
  });
  const linesOf = (repeatedHours: readonly number[], configuredHours = 0) => {
    const report: WarmUpReport = {
      ...{
        fromMs: 0,
        periodFromMs: 0,
        toMs: HOUR_MS,
        settledMs: 13_211 * HOUR_MS,
        interrupted: false,
      },
      ...{ endings: [], isOver: false, isLost: false },
      runs: [0, 0.5, 36, 13_211].map((hours) => run(hours, hours === configuredHours)),
      repeated: repeatedHours.map((hours) => ({ warmUpMs: hours * HOUR_MS, asMs: 36 * HOUR_MS })),
    };
    return warmUpLines(report, plain);
  };

  it('tells them in days, and how `backtest.warmUpHours` has the one that is enough', () => {
    const lines = linesOf([]);
    const lengths = ['0 h (configured)', '30 min', '1 d 12 h', '550 d 11 h'];
    expect(lines.slice(2, 6).map((text) => text.split(/ {2,}/)[0])).toEqual(lengths);
    expect(lines[6]).toBe(
      'from 550 d 11 h (13211 hours) of warm-up on, every wish is the same as with the longest',
    );
  });

  it('tells which begin on the same data as a shorter one', () => {
    expect(linesOf([137.5])).toContain(
      'left out: 5 d 18 h, which begins on the same data as 1 d 12 h (there are no data in between)',
    );
    expect(linesOf([137.5, 275])).toContain(
      'left out: 5 d 18 h and 11 d 11 h, which begin on the same data as 1 d 12 h (there are no data in between)',
    );
    expect(linesOf([13_211], 13_211)).toContain(
      '550 d 11 h (configured) begins on the same data as 1 d 12 h (there are no data in between)',
    );
  });
});

it('a check of runs that wished nothing claims nothing', async () => {
  const strategies = [{ use: 'ema-cross', params: { amount: 1, interval: '1week' } }];
  const deployment = checkedDeployment({ strategies });
  const nothing = 'no wish was made: nothing can be said';
  expect(lookaheadLines(await checkLookahead({ deployment, cuts: 1 }), plain).at(-1)).toBe(nothing);
  const lines = warmUpLines(await checkWarmUp({ deployment, starts: 1 }), plain);
  expect(lines.at(-1)).toBe(nothing);
  expect(lines.join('\n')).not.toMatch(/of warm-up on|long enough/);
});

it('a check of wishes that the longest warm-up drops claims nothing', async () => {
  const strategies = [{ use: 'grid', params: { amount: 0.01 } }];
  const report = await checkWarmUp({ deployment: checkedDeployment({ strategies }), starts: 1 });
  expect(report.runs.map(({ intents }) => Math.sign(intents))).toEqual([1, ...[0, 0]]);
  const lines = warmUpLines(report, plain);
  expect(lines.at(-1)).toMatch(/^the longest warm-up dropped every wish, .* nothing can be said/);
  expect(lines.join('\n')).not.toMatch(/of warm-up on|too short/);
});

it('a check tells of a strategy that was over before the data were', async () => {
  const strategies = [{ use: THROWER, name: 'thrower' }];
  const deployment = checkedDeployment({ strategies });
  const told =
    /^Strategy thrower failed at 2024-\S+ \S+ UTC: .*enough.* Nothing after that is checked\.$/m;
  const lookahead = await checkLookahead({ deployment, cuts: 1 });
  expect(lookahead.isOver).toBe(true);
  expect(lookaheadLines(lookahead, plain).join('\n')).toMatch(told);
  const warmUp = await checkWarmUp({ deployment, starts: 1 });
  expect(warmUp.isOver).toBe(true);
  expect(warmUpLines(warmUp, plain).join('\n')).toMatch(told);
});

it('an interrupted check says so and claims nothing', async () => {
  const deployment = checkedDeployment();
  const stopped = { deployment, onProgress: () => false };
  const text = lookaheadLines(await checkLookahead(stopped), plain).join('\n');
  expect(text).toContain('interrupted');
  expect(text).not.toContain('nothing hangs');
  expect(warmUpLines(await checkWarmUp(stopped), plain)).toContain(
    'interrupted: nothing can be said',
  );
});
