import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../app/fixture.ts';
import { run } from './command.ts';

const RECORDER = new URL('fixtures/loaded-modules.ts', import.meta.url).href;

/** The modules that a command loads, Node's own left out: packages by name, sources by path. */
async function loadedBy(text: string): Promise<string[]> {
  const file = join(scratchFolder(), 'modules');
  const env = { NODE_OPTIONS: `--import=${RECORDER}`, LOADED_MODULES: file };
  const { code, stderr } = await run(text.split(' '), { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const addresses = readFileSync(file, 'utf8').trimEnd().split('\n');
  return addresses.filter((url) => url.startsWith('file:')).map(shortOf);
}

function shortOf(url: string): string {
  return (
    /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
    /(?:src|bin|strategies)\/.*/.exec(url)![0]
  );
}

const packagesOf = (loaded: readonly string[]): string[] =>
  [...new Set(loaded.filter((name) => !name.endsWith('.ts') && !name.startsWith('bin/')))].sort();

/** What speaks over the network, and what writes logs. */
const NETWORK = [
  'undici',
  'ws',
  'src/venues/zb/client/connect.ts',
  'src/venues/zb/server/serve.ts',
];
const LOGS = ['pino'];
const DATABASE = ['@duckdb/node-api'];

describe('the start of a command', () => {
  it.each(['--help', '--version', 'help'])('reads little for %s', async (text) => {
    const loaded = await loadedBy(text);
    expect(packagesOf(loaded)).toEqual(['commander']);
    expect(loaded.length).toBeLessThan(32);
  });

  it.each([
    ['backtest config/backtest.yaml --to 2024-01-02 --out NEW', [...NETWORK, ...LOGS]],
    ['data list', [...NETWORK, ...LOGS, ...DATABASE]],
    ['run config/demo.yaml --virtual --for 1s', [...NETWORK, ...DATABASE]],
    ['exchange --port 0 --for 1ms', ['undici', ...DATABASE]],
    ['market --help', [...LOGS, ...DATABASE, 'src/engine/engine.ts', 'src/sim/exchange.ts']],
  ])('reads for `%s` nothing that only others need', async (text, others) => {
    const loaded = await loadedBy(text.replace('NEW', join(scratchFolder(), 'new')));
    expect(loaded.filter((name) => others.includes(name))).toEqual([]);
    expect(loaded.filter((name) => name === 'rxjs')).toHaveLength(1);
  });

  it('keeps what was read of each source, the first one too', async () => {
    const env = { TMPDIR: scratchFolder(), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
    await run(['--version'], { env });
    const { stderr } = await run(['--version'], { env });
    expect(stderr).toMatch(/retrieving transpile cache .*\/src\/cli\/main\.ts\.\.\.success/);
  });
});
