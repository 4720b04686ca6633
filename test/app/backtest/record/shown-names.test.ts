import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishRun, loadBacktest, runBacktest } from '../../../../src/app/backtest/index.ts';
import { renamedIn, shownNames } from '../../../../src/app/backtest/record/shown-names.ts';
import type { StrategyInstance } from '../../../../src/engine/index.ts';
import { parseMetrics } from '../../../../src/report/index.ts';
import { instanceName } from '../../../../src/strategy/index.ts';
import { scratchFolder } from '../../fixture.ts';
import { backtestFile, LIMITS, minuteSource } from '../fixture.ts';

/** What entries are shown as, those without a name by their definition's, which is given last. */
function shown(...entries: readonly (readonly [use: string, name: string | undefined, string])[]) {
  const instances = entries.map(([use, name, definition]) => {
    return { name: instanceName({ use, name }), definition: { name: definition } };
  });
  const named = entries.map(([, name]) => ({ name }));
  const names = shownNames(named, instances as unknown as readonly StrategyInstance[]);
  return [...names.values()];
}

describe('shownNames', () => {
  it('are the given ones, else those of the definitions', () => {
    expect(
      shown(
        ['./a.ts', undefined, 'alpha'],
        ['./a.ts', 'mine', 'alpha'],
        ['grid', undefined, 'grid'],
      ),
    ).toEqual(['alpha', 'mine', 'grid']);
  });

  it('are the paths where several would share one', () => {
    expect(shown(['./a.ts', undefined, 'grid'], ['grid', undefined, 'grid'])).toEqual([
      './a.ts',
      'grid',
    ]);
    expect(shown(['./a.ts', undefined, 'mine'], ['./b.ts', 'mine', 'beta'])).toEqual([
      './a.ts',
      'mine',
    ]);
  });
});

it('renamedIn renames whole names alone', () => {
  const names = new Map([
    ['./a.ts', 'alpha'],
    ['./a.ts b', 'beta'],
    ['grid', 'grid'],
  ]);
  expect(renamedIn('./a.ts, ../a.ts, ./a.tsx, ./a.ts b and the grid of ./a.ts', names)).toBe(
    'alpha, ../a.ts, ./a.tsx, beta and the grid of alpha',
  );
});

describe('a strategy that is given by its path', () => {
  /** It says something, buys, and fails. */
  const TEXT = `import { defineStrategy, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'my-own',
  params: z.strictObject({}),
  run: ({ market, candles, log }) => candles('1min').pipe(
    map(({ close }) => {
      if (close > 100.15) throw new Error('no more');
      log('heard', { close });
      return target(market, 1);
    }),
  ),
});
`;

  it('has the name of its definition in all that is shown, and its path in the journal', async () => {
    const settings = {
      risk: LIMITS,
      strategies: [{ use: './scripted.ts' }],
      backtest: { balances: { usdt: '10000' }, report: { html: false } },
    };
    const deployment = loadBacktest(backtestFile(settings, TEXT));
    const sources = [minuteSource([100, 100.1, 100.2].map((close) => ({ close })))];
    const out = join(scratchFolder(), 'run');
    const { status } = await finishRun({ deployment, sources, out });
    const read = (file: string): string => readFileSync(join(out, file), 'utf8');
    expect(status.strategies).toMatchObject([{ name: 'my-own', status: 'failed' }]);
    const { strategies, parts } = parseMetrics(read('metrics.json'));
    expect([strategies, parts.map(({ strategy }) => strategy)]).toEqual([['my-own'], ['my-own']]);
    expect(read('trades.csv')).toContain('btc_usdt,my-own,long');
    expect(read('strategy.log')).toContain('my-own: heard { close: 100 }');
    expect(read('orders.parquet')).toContain('my-own');
    expect(read('journal.jsonl')).toContain('"strategy":"./scripted.ts"');
    for (const file of ['metrics.json', 'trades.csv', 'strategy.log', 'orders.parquet']) {
      expect(read(file)).not.toContain('scripted');
    }
  });

  it('is named so in what it was refused, and in why trading stopped', async () => {
    const settings = {
      risk: { ...LIMITS, executionsPerWindowMax: 1 },
      strategies: [{ use: './scripted.ts' }],
      backtest: { balances: { usdt: '10000' } },
    };
    const eager = TEXT.replace(
      "throw new Error('no more')",
      'return target(market, Math.round(10 * close) - 1_000)',
    );
    const deployment = loadBacktest(backtestFile(settings, eager));
    const closes = [100, 100.1, 100.2, 100.3, 100.4, 100.5];
    const sources = [minuteSource(closes.map((close) => ({ close })))];
    const { notes, trading } = (await runBacktest({ deployment, sources })).record;
    expect(trading?.reason).toMatch(/^my-own has traded more than 1 order in/);
    expect(notes).toContainEqual(expect.stringMatching(/^Risk refused .*: my-own has traded/));
    expect(notes.join('\n')).not.toContain('scripted');
  });

  it('is named so where it cannot start', async () => {
    const settings = {
      strategies: [{ use: './scripted.ts' }],
      backtest: { balances: { usdt: '10000' } },
    };
    const failing = TEXT.replace("candles('1min').pipe(", "candles('10min' + close).pipe(");
    const deployment = loadBacktest(backtestFile(settings, failing));
    const out = join(scratchFolder(), 'run');
    const run = finishRun({ deployment, sources: [minuteSource([{ close: 100 }])], out });
    await expect(run).rejects.toThrow('Cannot start strategy "my-own"');
  });
});
