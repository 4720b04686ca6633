import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT, scratchFolder } from '../app/fixture.ts';
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

/** What npm packs of this tree. */
function packedFiles(): readonly string[] {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
  return files.map(({ path }: { readonly path: string }) => path);
}

const FILES = packedFiles();

/** A project that has what npm packs of this tree, and what that depends on, among its modules. */
function makeProject({ type = 'module' } = {}): { readonly cwd: string; readonly bin: string } {
  const cwd = scratchFolder();
  const modules = join(cwd, 'node_modules');
  for (const path of FILES) cpSync(join(root, path), join(modules, 'tradewind', path));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ type }));
  writeFileSync(join(cwd, 'mine.ts'), STRATEGY);
  writeFileSync(join(cwd, 'mine.yaml'), DEPLOYMENT);
  return { cwd, bin: join(modules, 'tradewind', 'bin', 'tradewind.js') };
}

describe('Tradewind as a dependency', () => {
  it('runs a strategy of the project that it is in, and says nothing beside', async () => {
    const project = makeProject();
    const ending = await run(['run', 'mine.yaml', '--virtual', '--for', '1m'], project);
    expect(ending).toMatchObject({ code: 0, stderr: '' });
    expect(ending.stdout).toMatch(/^mine on /m);
    expect(ending.stdout).toContain('orders sent, 0 rejected');
  });

  it('makes a backtest with its report', async () => {
    const project = makeProject();
    const config = join('node_modules', 'tradewind', 'config', 'backtest.yaml');
    const ending = await run(['backtest', config, '--out', 'first'], project);
    expect(ending).toMatchObject({ code: 0 });
    expect(readFileSync(join(project.cwd, 'first', 'report.html'), 'utf8')).toContain('<html');
  });

  it('says what is wanted where the project is none of modules', async () => {
    const project = makeProject({ type: 'commonjs' });
    const ending = await run(['run', 'mine.yaml', '--virtual', '--for', '1s'], project);
    expect(ending.code).toBe(3);
    expect(ending.stderr).toMatch(/Cannot load strategy.*outside a module.*"type": "module" in/);
  });

  it('asks for Node 24 under an older one, and runs by it where the project has it', async () => {
    const project = { ...makeProject(), launched: true };
    expect(await run(['--version'], project)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('24 or newer is wanted (npm install node@24 brings it)'),
    });
    symlinkSync(join(root, 'node_modules', 'node'), join(project.cwd, 'node_modules', 'node'));
    expect(await run(['--version'], project)).toMatchObject({ code: 0, stderr: '' });
  });
});
