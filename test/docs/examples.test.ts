import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { deploymentSchema } from '../../src/app/config/deployment.ts';
import { servedExchangeSchema } from '../../src/app/config/exchange.ts';
import { deploymentSettings, ROOT, scratchFolder } from '../app/fixture.ts';
import { run, start } from '../cli/command.ts';
import { type Example, examplesOf, fileOf, PAGES } from './pages.ts';

const root = fileURLToPath(ROOT);
const EXAMPLES = PAGES.flatMap(examplesOf);

/** Why a block of commands is not run as it stands; each has a test of its own. */
const NEEDS = [
  'with-exchange',
  'with-recording',
  'with-admin',
  'with-crash',
  'not-run',
  'on-exchange',
  'with-person',
  'with-data',
  'with-trust',
  'in-shell',
  'ends-12',
];
/** Installing is what has happened before any test runs; the tests are running. */
const DONE = /^npm (ci|test)$/;

function examples(language: string): [string, Example][] {
  return EXAMPLES.filter((example) => example.language === language).map((example) => [
    `${example.page}:${example.line}`,
    example,
  ]);
}

/** What runs leave in the root: examples begin without. */
const LEFT_BY_RUNS = ['var', 'runs'];

/** A folder that looks like the root to commands, with the files of a page's examples in it. */
function workspaceOf(page: string): string {
  const folder = scratchFolder();
  for (const name of readdirSync(root)) {
    if (LEFT_BY_RUNS.includes(name) || name.startsWith('.')) continue;
    symlinkSync(join(root, name), join(folder, name));
  }
  for (const example of EXAMPLES.filter((one) => one.page === page)) {
    const file = fileOf(example);
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), example.text);
  }
  return folder;
}

/** The arguments of the command line, its times cut short; undefined where nothing is to be run. */
function argumentsOf(command: string): string[] | undefined {
  if (DONE.test(command)) return undefined;
  if (command === 'npm run backtest') return ['backtest', 'config/backtest.yaml'];
  const [, text] = /^(?:npx tradewind|npm start(?: --)?)(.*)$/.exec(command) ?? [];
  expect(text, `a command that is known: ${command}`).toBeDefined();
  const words = text!.trim().split(/\s+/).filter(Boolean);
  const args = command.startsWith('npm start') ? ['run', 'config/demo.yaml', ...words] : words;
  const at = args.indexOf('--for');
  const shortTime = args.includes('--virtual') ? '5s' : '1s';
  if (at >= 0) return args.with(at + 1, shortTime);
  return args[0] === 'run' || args[0] === 'exchange' ? [...args, '--for', shortTime] : args;
}

async function runAll({ text, page }: Example, rewrite = (args: string[]) => args): Promise<void> {
  const cwd = workspaceOf(page);
  const commands = text.split('\n').flatMap((line) => line.split('&&'));
  for (const command of commands.map((one) => one.trim()).filter(Boolean)) {
    const args = argumentsOf(command);
    if (args === undefined) continue;
    const { code, stderr } = await run(rewrite(args), { cwd });
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
  }
}

const PAPER = readFileSync(new URL('config/paper.yaml', ROOT), 'utf8');

describe('the commands of the pages', () => {
  const plain = examples('sh').filter(([, { marks }]) => marks.length === 0);

  it('are many, and every mark is known', () => {
    expect(plain.length).toBeGreaterThan(4);
    const marks = examples('sh').flatMap(([, example]) => example.marks);
    expect(marks.filter((mark) => !NEEDS.includes(mark))).toEqual([]);
  });

  it.each(plain)('run: %s', async (_place, example) => {
    await runAll(example);
  });

  it('rehearse a first strategy that no limit has to stop', async () => {
    const cwd = workspaceOf('docs/getting-started.md');
    const { code, stdout } = await run(['run', 'my/dip.yaml', '--virtual', '--for', '20m'], {
      cwd,
    });
    expect(stdout).toMatch(/btc_usdt +position .* profit \+\d/);
    expect(stdout).not.toContain('REDUCING');
    expect(code).toBe(0);
  });

  it('name options that there are where they are not run', async () => {
    const unrun = examples('sh').filter(([, { marks }]) => marks.includes('not-run'));
    const lines = unrun.flatMap(([, { text }]) => text.match(/^npx tradewind .*$/gm) ?? []);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      const [words] = /(?<=^npx tradewind )[a-z-]+(?: [a-z-]+(?= ))*/.exec(line)!;
      const { stdout } = await run([...words.split(' '), '--help']);
      for (const option of line.match(/--\w[\w-]*/g) ?? []) expect(stdout).toContain(option);
    }
  });

  it('play a recording', async () => {
    const trades = [[1_570_752_000_000, '1', null, 'sell', 0.0014, 5, 0.007]];
    const file = join(scratchFolder(), 'XRP_ETH-trades.json');
    writeFileSync(file, JSON.stringify(trades));
    for (const [, example] of examples('sh')) {
      if (!example.marks.includes('with-recording')) continue;
      await runAll(example, (args) => args.with(args.indexOf('--replay') + 1, file));
    }
  });

  it('trade on paper beside an exchange', async () => {
    const exchange = start(['exchange', '--port', '0']);
    const [, address] = await exchange.seen(/"dataUrl":"http:\/\/([^"]+)"/);
    const marked = examples('sh').filter(([, { marks }]) => marks.includes('with-exchange'));
    expect(marked).toHaveLength(1);
    const [[, example]] = marked as [[string, Example]];
    const paper = join(scratchFolder(), 'paper.yaml');
    writeFileSync(paper, PAPER.replaceAll('127.0.0.1:8710', address!));
    await runAll(example, (args) => args.with(args.indexOf('config/paper.yaml'), paper));
  });
});

describe('the TypeScript of the pages', () => {
  const blocks = examples('ts');
  let folder: string;

  beforeAll(() => {
    folder = join(root, 'var', `examples-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    return () => spawnSync('rm', ['-r', folder]);
  });

  it('holds its types', () => {
    for (const [index, [, example]] of blocks.entries()) {
      const file = fileOf(example)?.replace(/^my\//, '') ?? `example-${index}.ts`;
      writeFileSync(join(folder, file), example.text);
    }
    const settings = { extends: '../../tsconfig.json', include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const tsc = join(root, 'node_modules/.bin/tsc');
    const { stdout } = spawnSync(tsc, ['--noEmit', '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  const tests = blocks.flatMap(([, example]) => fileOf(example)?.match(/[^/]+\.test\.ts$/) ?? []);

  it('has tests of its own', () => {
    expect(tests.length).toBeGreaterThan(1);
  });

  it.each(tests)('passes its own test %s', (file) => {
    const test = join(folder, file);
    const { status, stderr } = spawnSync(process.execPath, [test], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('the YAML of the pages', () => {
  const fragments = examples('yaml').filter(([, example]) => fileOf(example) === undefined);

  it.each(fragments)('is sound: %s', (_place, { text, marks }) => {
    const fragment = parse(text, { merge: true }) as Record<string, unknown>;
    const schema = marks.includes('exchange') ? servedExchangeSchema : deploymentSchema;
    const value = marks.includes('exchange') ? fragment : deploymentSettings(fragment);
    expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
  });
});
