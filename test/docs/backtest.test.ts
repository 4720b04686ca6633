import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { backtestSchema } from '../../src/app/backtest/config.ts';
import { ROOT, scratchFolder } from '../app/fixture.ts';
import { withoutProgress } from '../cli/command.ts';
import { examplesOf, textOf } from './pages.ts';

const path = (name: string): string => fileURLToPath(new URL(name, ROOT));

it('the loop of docs/backtest.md runs in a shell and tells what each value came to', () => {
  const cwd = scratchFolder();
  symlinkSync(path('config'), join(cwd, 'config'));
  const examples = examplesOf('docs/backtest.md').filter(({ marks }) => marks.includes('in-shell'));
  expect(examples).toHaveLength(1);
  const tradewind = `"${process.execPath}" "${path('bin/tradewind.js')}"`;
  const script = examples[0]!.text
    .replaceAll('npx tradewind', tradewind)
    .replaceAll(/^node /gm, `"${process.execPath}" `);
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], {
    cwd,
    encoding: 'utf8',
  });
  expect([status, withoutProgress(stderr)]).toEqual([0, '']);
  const profits = stdout.match(/^runs\/fast-\d+ -?\d+\.\d+$/gm) ?? [];
  expect(profits.map((line) => line.split(' ')[0])).toEqual([
    ...['runs/fast-12', 'runs/fast-24', 'runs/fast-6'],
  ]);
  expect(new Set(profits.map((line) => line.split(' ')[1])).size).toBe(3);
  expect(stdout).toMatch(/strategies\.ema-cross\.params\.fast +6 +24/);
}, 120_000);

it('docs/backtest.md tells of every fill model', () => {
  const models = backtestSchema.shape.fill.unwrap().options.map(({ shape }) => shape.model.value);
  const missing = models.filter(
    (model) => !textOf('docs/backtest.md').includes(`\n| \`${model}\` | `),
  );
  expect(missing).toEqual([]);
});
