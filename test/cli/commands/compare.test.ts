import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishRun } from '../../../src/app/backtest/index.ts';
import { compareRuns } from '../../../src/app/compare/index.ts';
import { comparisonLines } from '../../../src/cli/commands/compare.ts';
import { plain } from '../../../src/cli/style.ts';
import { checkedDeployment } from '../../app/backtest/checks-fixture.ts';
import { scratchFolder } from '../../app/fixture.ts';
import { recordedSession } from '../../app/replay/fixture.ts';

/** The folder of a backtest with these settings. */
async function backtested(overrides: Record<string, unknown> = {}): Promise<string> {
  const out = join(scratchFolder(), 'run');
  const settings = { ...overrides, backtest: { report: { html: false } } };
  await finishRun({ deployment: checkedDeployment(settings), out });
  return out;
}

const linesOf = (a: string, b: string): string[] =>
  comparisonLines(compareRuns({ a, b }), plain).map((line) => line.trim());

describe('comparisonLines', () => {
  it('calls a parameter that a journal leaves out its default', async () => {
    const params = { amount: 0.01, interval: '5min', slow: 20 };
    const strategies = [{ use: 'ema-cross', params }];
    const a = (await recordedSession({ settings: { strategies } })).path;
    const b = await backtested({ strategies });
    expect(linesOf(a, b)).toContainEqual(
      expect.stringMatching(/^strategies\.ema-cross\.params\.fast +its default +12$/),
    );
  });

  it('says that figures are not compared where a side has no report', async () => {
    const folder = await backtested();
    const told = /^not both runs have a report/;
    expect(linesOf(folder, folder)).not.toContainEqual(expect.stringMatching(told));
    expect(linesOf(folder, (await recordedSession()).path)).toContainEqual(
      expect.stringMatching(told),
    );
  });

  it('calls what journals count of refusals by another name than what reports do', async () => {
    const folder = await backtested();
    const refusals = [{ code: 'balance', a: 1, b: 0 }];
    const comparison = { ...compareRuns({ a: folder, b: folder }), refusals };
    const told = /^(\w+ \w+): balance +1 +0$/m;
    const nameOf = (of: typeof comparison) => told.exec(comparisonLines(of, plain).join('\n'))?.[1];
    expect(nameOf(comparison)).toBe('wishes refused');
    expect(nameOf({ ...comparison, metrics: undefined })).toBe('refusals recorded');
  });

  it('groups the digits of all counts of orders', async () => {
    const folder = await backtested();
    const orders = { both: 6_427, onlyA: 5_907, onlyB: 79_303, moreA: 1_000, moreB: 0 };
    const comparison = { ...compareRuns({ a: folder, b: folder }), orders };
    expect(comparisonLines(comparison, plain)).toContain(
      '6,427 orders in both runs (A placed 1,000 more for the same wishes), 5,907 only in A, ' +
        '79,303 only in B',
    );
  });

  it('shows figures of both reports', async () => {
    const folder = await backtested();
    expect(linesOf(folder, folder)).toContainEqual(
      expect.stringMatching(/^Fees +\d+\.\d\d USDT +\d+\.\d\d USDT +0\.00 USDT$/),
    );
    const recorded = (await recordedSession()).path;
    expect(linesOf(folder, recorded)).not.toContainEqual(expect.stringMatching(/^figure /));
  });
});
