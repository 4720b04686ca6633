import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { progressLine } from '../../../src/cli/backtest-display.ts';
import { plain } from '../../../src/cli/style.ts';
import { backtestFile } from '../../app/backtest/fixture.ts';
import { scratchFolder } from '../../app/fixture.ts';
import { run, start } from '../command.ts';

const BIN = join(import.meta.dirname, '../../../bin/tradewind.js');

const SETTINGS = {
  ...{ name: 'cli', venue: { kind: 'simulated' }, markets: ['btc_usdt'] },
  strategies: [{ use: 'ema-cross', params: { amount: 0.001, interval: '15min' } }],
};
const BACKTEST = {
  ...{ from: '2024-01-01', to: '2024-01-05', balances: { usdt: '1000' } },
  generate: { btc_usdt: { startPrice: 30_000 } },
};
const FILES = [
  ...['config.yaml', 'equity.parquet', 'fills.parquet', 'journal.jsonl', 'metrics.json'],
  'orders.parquet',
];

describe('tradewind backtest', () => {
  it('prints the figures and writes the folder of the run', async () => {
    const cwd = scratchFolder();
    const file = backtestFile({ ...SETTINGS, backtest: BACKTEST });
    const { code, stdout, stderr } = await run(['backtest', file], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toContain('2024-01-01 00:00 to 2024-01-05 00:00 UTC, 5,760 events');
    const folder = lines.at(-1)!;
    expect(folder).toMatch(/^runs\/cli-\d{8}-\d{6}$/);
    const written = readdirSync(join(cwd, folder)).sort();
    expect(written).toEqual([...FILES, 'report.html', 'trades.csv']);
    const metrics = JSON.parse(readFileSync(join(cwd, folder, 'metrics.json'), 'utf8'));
    expect(`journal hash ${metrics.journalHash}`).toBe(lines.at(-2));
    const journal = readFileSync(join(cwd, folder, 'journal.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(journal[0]!)).toMatchObject({ kind: 'inputs', interrupted: false });
  }, 60_000);

  it('takes period, folder and the want of a report from the command line', async () => {
    const out = join(scratchFolder(), 'run');
    const file = backtestFile({ ...SETTINGS, backtest: BACKTEST });
    const flags = ['--to', '2024-01-02', '--out', out, '--no-report', '--seed', 'other'];
    const { code, stdout } = await run(['backtest', file, ...flags]);
    expect(code).toBe(0);
    expect(stdout).toContain('1,440 events');
    expect(readdirSync(out).sort()).toEqual([...FILES, 'trades.csv']);
    expect(readFileSync(join(out, 'config.yaml'), 'utf8')).toContain('seed: other');
    const again = await run(['backtest', file, ...flags]);
    expect([again.code, again.stderr]).toEqual([8, expect.stringContaining('--force is wanted')]);
    expect((await run(['backtest', file, ...flags, '--force'])).code).toBe(0);
  }, 60_000);

  it.each([
    [['--out', 'a'], "'--out <folder>' cannot be used"],
    [['--no-report'], "'--no-report' cannot be used"],
  ])('takes no %j for a check, which writes nothing', async (flags, message) => {
    const file = backtestFile({ ...SETTINGS, backtest: BACKTEST });
    const { code, stderr } = await run(['backtest', file, '--check-lookahead', ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('takes no file for the number of cuts', async () => {
    const { code, stderr } = await run(['backtest', '--check-lookahead', 'config/backtest.yaml']);
    expect([code, stderr]).toEqual([
      ...[2, expect.stringContaining('the file ahead of --check-lookahead is wanted.')],
    ]);
  });

  it('keeps what was done when it is interrupted', async () => {
    const out = join(scratchFolder(), 'run');
    const generate = { btc_usdt: { startPrice: 30_000 } };
    const backtest = { ...BACKTEST, generate, to: '2054-01-01', report: { html: false } };
    const command = start(['backtest', backtestFile({ ...SETTINGS, backtest }), '--out', out]);
    await command.seen(/events\/s/);
    command.process.kill('SIGINT');
    const { signal, stdout } = await command.ended;
    expect(signal).toBe('SIGINT');
    expect(stdout).toMatch(/Interrupted at 20\d\d-\d\d-\d\d .* UTC, after \d+ % of the period\./);
    expect(readFileSync(join(out, 'journal.jsonl'), 'utf8')).toContain('"interrupted":true');
  }, 120_000);
});

describe('tradewind backtest that cannot be', () => {
  it.runIf(existsSync('/proc/self'))(
    'ends at once where no folder can be made',
    async () => {
      const file = backtestFile({ ...SETTINGS, backtest: BACKTEST });
      const { code, stdout, stderr } = await run(['backtest', file, '--out', '/proc/a/b']);
      expect(stderr).toBe(
        'tradewind: Cannot write the run to /proc/a/b: no folder can be made in /proc, ' +
          'another place is wanted\n',
      );
      expect([code, stdout]).toEqual([8, '']);
    },
    20_000,
  );

  it('says that a file may not be so large, and leaves nothing', async () => {
    const cwd = scratchFolder();
    const file = backtestFile({ ...SETTINGS, backtest: BACKTEST });
    const command = `ulimit -f 8; exec '${process.execPath}' '${BIN}' backtest '${file}' --out run`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8' });
    expect(stderr).toMatch(
      /^tradewind: Cannot write .*run.*: a file would be larger than it may be here, .* is wanted\n$/,
    );
    expect([status, readdirSync(cwd)]).toEqual([8, []]);
  }, 20_000);

  it.each([
    ['a moment that is none', ['--from', 'soon'], 2, 'a moment in UTC'],
    ['an unknown setting', ['--set', 'risk.dailyLosMax=1'], 3, 'did you mean "dailyLossMax"?'],
    ['what is no setting', ['--set', 'risk.dailyLossMax'], 2, 'Cannot set "risk.dailyLossMax": '],
    ['a folder that has no name', ['--out', ''], 2, 'a folder is wanted'],
    ['a period without data', ['--from', '2024-02-01', '--to', '2024-01-01'], 3, 'the end is not'],
  ])('refuses %s', async (_what, flags, code, text) => {
    const file = backtestFile({ ...SETTINGS, backtest: BACKTEST });
    const ending = await run(['backtest', file, ...flags]);
    expect([ending.code, ending.stderr]).toEqual([code, expect.stringContaining(text)]);
  });

  it('ends with 5 when no strategy is left, and says so once, ahead of the figures', async () => {
    const strategies = [{ use: './scripted.ts', params: { wishes: { 3: { bids: 7 } } } }];
    const file = backtestFile({ ...SETTINGS, strategies, backtest: BACKTEST });
    const { code, stdout } = await run(['backtest', file, '--no-report'], { cwd: scratchFolder() });
    const told = / events\nStrategy .* failed at .* UTC: .*\n\nReturn/;
    expect([code, stdout]).toEqual([5, expect.stringMatching(told)]);
    expect(stdout.split(' failed at ')).toHaveLength(2);
  }, 60_000);
});

describe('what a strategy of tradewind backtest threw', () => {
  it('is shown line by line, without signs that a terminal obeys', async () => {
    const text = `import { defineStrategy, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'throws',
  params: z.strictObject({}),
  run: ({ market, candles }) => candles('1min').pipe(map(({ close }) => {
    if (close > 0) throw new Error('red \\u001b[31m\\nnext');
    return target(market, 1);
  })),
});
`;
    const strategies = [{ use: './scripted.ts', params: {} }];
    const file = backtestFile({ ...SETTINGS, strategies, backtest: BACKTEST }, text);
    const { code, stdout } = await run(['backtest', file, '--no-report'], { cwd: scratchFolder() });
    expect([code, stdout]).toEqual([5, expect.stringContaining('red \\u{1b}[31m\nnext (')]);
  }, 60_000);
});

describe('tradewind backtest --set', () => {
  it('writes the run that a file with them gives', async () => {
    const folder = scratchFolder();
    const [strategy] = SETTINGS.strategies;
    const params = { ...strategy?.params, fast: 5 };
    const changed = { ...SETTINGS, strategies: [{ ...strategy, params }] };
    const said = backtestFile({ ...changed, backtest: { ...BACKTEST, to: '2024-01-02' } });
    const plain = backtestFile({ ...SETTINGS, backtest: BACKTEST });
    const settings = ['--set', 'strategies.ema-cross.params.fast=5'];
    const further = ['--set', 'backtest.to=2024-01-03', '--set', 'backtest.to=2024-01-02'];
    const sides: [string, string[]][] = [
      [said, []],
      [plain, [...settings, ...further]],
    ];
    for (const [at, [file, flags]] of sides.entries()) {
      const out = join(folder, String(at));
      const { code, stderr } = await run(['backtest', file, '--no-report', '--out', out, ...flags]);
      expect([code, stderr]).toEqual([0, '']);
    }
    const [first, second] = ['0', '1'].map((out) =>
      FILES.map((name) => hash('sha256', readFileSync(join(folder, out, name)))),
    );
    expect(second).toEqual(first);
    expect(readFileSync(join(folder, '1', 'config.yaml'), 'utf8')).toContain('fast: 5');
    const again = ['--out', join(folder, '2'), '--no-report'];
    const { code } = await run(['backtest', join(folder, '1', 'config.yaml'), ...again]);
    const journal = (out: string) => readFileSync(join(folder, out, 'journal.jsonl'), 'utf8');
    expect([code, journal('2') === journal('1')]).toEqual([0, true]);
  }, 60_000);
});

describe('progressLine', () => {
  const period = { warmFromMs: 0, fromMs: 0, toMs: 4 * 86_400_000 };
  const progress = { rows: 3_000_000, timeMs: 86_400_000, period };
  const line = (columns: number) =>
    progressLine(progress, { elapsedMs: 2_000, columns, paint: plain });

  it('tells how far it is, how fast it goes and how long it takes yet', () => {
    const whole =
      '████████░░░░░░░░░░░░░░░░░░░░░░  25 %  1970-01-02  1,500,000 events/s  00:06 left';
    expect(line(100)).toBe(whole);
    expect(line(whole.length)).toBe(whole);
    const piped = line(Number.POSITIVE_INFINITY);
    expect(piped).toBe('25 %  1970-01-02  1,500,000 events/s  00:06 left');
  });

  it('is no wider than a terminal: the bar gives way, then what stands last', () => {
    expect(line(60)).toBe('███░░░░░░░  25 %  1970-01-02  1,500,000 events/s  00:06 left');
    expect(line(50)).toBe('25 %  1970-01-02  1,500,000 events/s  00:06 left');
    expect(line(20)).toBe('25 %  1970-01-02  1…');
  });
});
