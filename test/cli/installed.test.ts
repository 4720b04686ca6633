import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../app/fixture.ts';
import { run } from './command.ts';

const root = fileURLToPath(ROOT);

const STRATEGY = `
import { defineStrategy, type Depth, map, quotes, z } from 'tradewind/strategy';

const bestOf = ({ bids }: Depth): number => bids[0]![0];

export default defineStrategy({
  name: 'mine',
  params: z.strictObject({ amount: z.number() }),
  run: ({ market, params, depth }) =>
    depth().pipe(map((book) => quotes(market, [[bestOf(book), params.amount]], []))),
});
`;
const DEPLOYMENT = `
name: mine
venue: { kind: simulated }
markets: [btc_usdt]
strategies: [{ use: ./mine.ts, params: { amount: 0.001 } }]
`;

const STRATEGY_TEST = `
import { equal } from 'node:assert/strict';
import { runStrategy, scriptedDepth } from 'tradewind/strategy';
import mine from './mine.ts';

const events = [scriptedDepth({ bid: 99, ask: 101, time: 0 })];
equal(runStrategy(mine, { params: { amount: 1 }, events }).intents.length, 1);
`;
const HANGING = `
import 'tradewind/register';

const { watchLoop } = await import('./node_modules/tradewind/src/cli/watchdog.ts');
watchLoop({ tellMs: 500, killMs: 1_000 });
for (;;);
`;

/** A program that still hangs after this time is not going to be killed. */
const HUNG_MS = 20_000;

/** What npm packs of this tree. */
function packedFiles(): readonly string[] {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
  return files.map(({ path }: { readonly path: string }) => path);
}

/** A project that has what npm packs of this tree, and what that depends on, among its modules. */
const cwd = mkdtempSync(join(tmpdir(), 'tradewind-'));
const modules = join(cwd, 'node_modules');
const project = { cwd, bin: join(modules, 'tradewind', 'bin', 'tradewind.js') };

beforeAll(() => {
  for (const path of packedFiles()) cpSync(join(root, path), join(modules, 'tradewind', path));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(cwd, 'mine.ts'), STRATEGY);
  writeFileSync(join(cwd, 'mine.yaml'), DEPLOYMENT);
  return () => rmSync(cwd, { recursive: true });
});

beforeEach(() => setType('module'));

function setType(type: 'module' | 'commonjs'): void {
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ type }));
}

describe('Tradewind as a dependency', () => {
  it('runs a strategy of the project that it is in, and says nothing beside', async () => {
    const ending = await run(['run', 'mine.yaml', '--virtual', '--for', '1m'], project);
    expect(ending).toMatchObject({ code: 0, stderr: '' });
    expect(ending.stdout).toMatch(/"mine on /);
    expect(ending.stdout).toContain(' sent, 0 rejected');
  });

  it('makes a backtest with its report', async () => {
    const config = join('node_modules', 'tradewind', 'config', 'backtest.yaml');
    const ending = await run(['backtest', config, '--out', 'first'], project);
    expect(ending).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'first', 'report.html'), 'utf8')).toContain('<html');
  });

  it('says what is wanted where the project is none of modules', async () => {
    setType('commonjs');
    const ending = await run(['run', 'mine.yaml', '--virtual', '--for', '1s'], project);
    expect(ending.code).toBe(3);
    expect(ending.stderr).toMatch(/Cannot load strategy.*outside a module.*"type": "module" in/);
  });
});

describe('the launcher of an older Node in a project', () => {
  const launched = { ...project, launched: true };
  const node = join(modules, 'node');
  afterEach(() => rmSync(node, { recursive: true, force: true }));

  it('runs by the Node that the project has', async () => {
    symlinkSync(join(root, 'node_modules', 'node'), node);
    expect(await run(['--version'], launched)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['is none', undefined, 'npm install node@24'],
    ['is an older one', '22.19.0', 'npm install node@24'],
    ['is one whose script did not run', '24.21.0', 'npm rebuild node --ignore-scripts=false'],
  ])('says what brings Node 24 where there %s', async (_, version, bringing) => {
    if (version !== undefined) {
      mkdirSync(join(node, 'bin'), { recursive: true });
      writeFileSync(join(node, 'package.json'), JSON.stringify({ version }));
      if (version < '24') writeFileSync(join(node, 'bin', 'node'), '');
    }
    const { code, stderr } = await run(['--version'], launched);
    const wanted = `Cannot start: this is Node 20.0.0, 24 or newer is wanted (${bringing} brings it)\n`;
    expect({ code, stderr }).toEqual({ code: 1, stderr: wanted });
  });
});

describe('tradewind/register', () => {
  const ofProgram = (text: string, flags: readonly string[]) => {
    writeFileSync(join(cwd, 'program.ts'), text);
    const env = { ...process.env, NODE_OPTIONS: '' };
    return spawnSync(process.execPath, [...flags, 'program.ts'], {
      ...{ cwd, env, encoding: 'utf8', timeout: HUNG_MS },
    });
  };

  it('lets a test of a strategy run by Node', () => {
    const end = ofProgram(STRATEGY_TEST, ['--import', 'tradewind/register']);
    expect(end).toMatchObject({ status: 0, stderr: '' });
  });

  // Registered as the command does it: Node itself would hand a flag on to the thread.
  it('is handed on to the thread that watches: what hangs is told and killed', () => {
    const { signal, stderr } = ofProgram(HANGING, []);
    expect(stderr).toMatch(
      /^tradewind: hangs in \S+program\.ts:6:\d+: nothing has moved for 0.5 s/,
    );
    expect(signal).toBe('SIGKILL');
  });
});

describe('the types of tradewind/strategy', () => {
  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('are known in a project of module %s, resolved as by %s', (module, moduleResolution) => {
    writeFileSync(join(cwd, 'wrong.ts'), STRATEGY.replace('[[bestOf(book),', '[[book,'));
    const wanted = { allowImportingTsExtensions: true, target: 'es2024' };
    const compilerOptions = { ...wanted, module, moduleResolution, noEmit: true, strict: true };
    const settings = { compilerOptions, files: ['mine.ts', 'wrong.ts'] };
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(settings));
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const { stdout } = spawnSync(tsc, ['-p', '.'], { cwd, encoding: 'utf8' });
    expect(stdout.match(/^\S.*error.*/gm)).toEqual([
      expect.stringMatching(/^wrong\.ts.*Type 'Depth' is not assignable to type 'number'/),
    ]);
  });
});
