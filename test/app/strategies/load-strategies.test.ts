import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { stringify } from 'yaml';
import { loadDeployment } from '../../../src/app/load-deployment.ts';
import type { StopRequest } from '../../../src/app/session.ts';
import { bundledStrategies } from '../../../src/app/strategies/bundled-strategies.ts';
import { loadStrategies } from '../../../src/app/strategies/load-strategies.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { deploymentSettings, scratchFile } from '../fixture.ts';

const FIXTURES = new URL('../../cli/fixtures/', import.meta.url).pathname;
const MARKETS = new Map(['btc_usdt', 'eth_usdt'].map((id) => [id, makeMarket({ id })] as const));

/** A deployment whose strategies were there when it was read. */
function deploymentOf(...strategies: object[]) {
  const settings = deploymentSettings({ strategies, markets: [...MARKETS.keys()] });
  return loadDeployment(scratchFile('a.yaml', stringify(settings)));
}

async function load(...strategies: object[]) {
  const { config, yaml } = deploymentOf(...strategies);
  return loadStrategies({ entries: config.strategies, yaml }, MARKETS);
}

describe('loadStrategies', () => {
  it('loads a bundled strategy, its parameters read by its own schema', async () => {
    const [grid] = await load({ use: 'grid', params: { amount: 1 } });
    expect(grid).toMatchObject({ name: 'grid', params: { amount: 1, lines: 5 } });
    expect(grid?.markets.map(({ id }) => id)).toEqual(['btc_usdt', 'eth_usdt']);
  });

  it('loads a module by its path, under a name of its own, for its own markets', async () => {
    const [own] = await load({ use: `${FIXTURES}idle.ts`, name: 'mine', markets: ['eth_usdt'] });
    expect(own?.name).toBe('mine');
    expect(own?.markets.map(({ id }) => id)).toEqual(['eth_usdt']);
  });

  it.each([
    [
      'a name nearly right',
      'gird',
      /a\.yaml:\d+:5: Cannot find strategy "gird", did you mean "grid"\?/,
    ],
    ['another name', 'zzzzzzz', /ema-cross, grid, market-maker or the path of a file is wanted/],
    [
      'a file that is not there',
      './none.ts',
      /Cannot find strategy "\.\/none\.ts", there is no \/.*\/none\.ts, a module there or another path is/,
    ],
    [
      'a folder',
      './',
      /a\.yaml:\d+:5: Cannot load strategy "\.\/": it is a folder, the file of a module is wanted$/,
    ],
    ['a module that throws', `${FIXTURES}throws-on-load.ts`, /Cannot load .*: it broke on loading/],
    [
      'a module without a strategy',
      `${FIXTURES}no-strategy.ts`,
      /": no export .*export default defineStrategy/,
    ],
  ])('refuses %s', async (_what, use, message) => {
    await expect(load({ use })).rejects.toThrow(message);
  });
});

describe('loadStrategies of files', () => {
  it('finds paths from the folder that the file names', async () => {
    const use = './idle.ts';
    const settings = deploymentSettings({ strategies: [{ use }], strategyFolder: FIXTURES });
    const { config, yaml } = loadDeployment(scratchFile('a.yaml', stringify(settings)));
    const [idle] = await loadStrategies({ entries: config.strategies, yaml }, MARKETS);
    expect(idle).toMatchObject({ name: use, definition: { name: 'idle' } });
    const moved = { ...settings, strategyFolder: './gone' };
    expect(() => loadDeployment(scratchFile('a.yaml', stringify(moved)))).toThrow(
      /there is no \/.*\/gone\/idle\.ts, .*, another path or another strategyFolder than \.\/gone is/,
    );
  });

  it('refuses one that is gone since the deployment was read', async () => {
    const { yaml } = deploymentOf({ use: 'grid', params: { amount: 1 } });
    const entries = [{ use: 'gird', params: {} }];
    await expect(loadStrategies({ entries, yaml }, MARKETS)).rejects.toMatchObject({
      ...{ reason: 'configuration', message: expect.stringMatching(/Cannot find strategy "gird"/) },
    });
  });

  it('refuses a market that the deployment does not have', async () => {
    const entry = { use: 'grid', params: { amount: 1 }, markets: ['eth_usd'] };
    await expect(load(entry)).rejects.toThrow(
      /Cannot use market "eth_usd": the deployment has btc_usdt, eth_usdt, did you mean "eth_usdt"\?/,
    );
  });
});

describe('loadStrategies, a module that awaits something at its top level', () => {
  it('is given up after 30 s', async () => {
    const clock = new VirtualClock(0);
    const file = scratchFile('stuck.ts', 'await new Promise(() => {});\nexport default 1;\n');
    const { config, yaml } = deploymentOf({ use: file });
    const loading = loadStrategies({ entries: config.strategies, yaml, clock }, MARKETS);
    const failure = expect(loading).rejects.toMatchObject({
      reason: 'configuration',
      message: expect.stringMatching(
        /a\.yaml:\d+:5: Cannot load strategy ".*": .*\/stuck\.ts still awaits something at its top/,
      ),
    });
    clock.advanceBy(30_000);
    await failure;
  });

  it.each(['success', 'defect'] as const)(
    'is waited for a second once somebody asks to stop: %s',
    async (outcome) => {
      const clock = new VirtualClock(0);
      const file = scratchFile('stuck.ts', 'await new Promise(() => {});\nexport default 1;\n');
      const { config, yaml } = deploymentOf({ use: file });
      const stop = new Subject<StopRequest>();
      const deployed = { entries: config.strategies, yaml, clock, stop };
      const failure = expect(loadStrategies(deployed, MARKETS)).rejects.toMatchObject({
        ...{ reason: outcome, message: 'Cannot go on loading strategies: SIGINT asked for it' },
      });
      clock.advanceBy(5_000);
      stop.next({ reason: 'SIGINT asked for it', outcome });
      clock.advanceBy(1_000);
      await failure;
    },
  );
});

describe('loadStrategies, parameters that speak of keys', () => {
  /** What is said of parameters where the file is right otherwise, and where it is not. */
  async function problemsOf(says: boolean): Promise<string[]> {
    vi.stubEnv('ZB_ACCESS_KEY', 'hush-hush');
    vi.stubEnv('ZB_SECRET_KEY', 'hush-hush-more');
    onTestFinished(() => void vi.unstubAllEnvs());
    const strategies = [{ use: `${FIXTURES}leaks-params.ts`, params: { says } }];
    const keys = { accessKey: { env: 'ZB_ACCESS_KEY' }, secretKey: { env: 'ZB_SECRET_KEY' } };
    const urls = { dataUrl: 'https://a.test', tradeUrl: 'https://a.test', pushUrl: 'wss://a.test' };
    const settings = deploymentSettings({ strategies, venue: { kind: 'zb', ...urls, ...keys } });
    const read = async (values: object) => {
      const { config, yaml } = loadDeployment(scratchFile('a.yaml', stringify(values)));
      return loadStrategies({ entries: config.strategies, yaml }, MARKETS);
    };
    const thrown = [read(settings), read({ ...settings, journal: 1 })].map((reading) =>
      reading.then(
        () => 'nothing',
        (error: Error) => error.message,
      ),
    );
    return Promise.all(thrown);
  }

  it.each([
    [true, /a\.yaml:\d+:\d+: Cannot use "strategies\[0\]\.params": .*a key other than \*\*\*/],
    [false, /a\.yaml:\d+:\d+: Cannot check "strategies\[0\]\.params": cannot sign with \*\*\*/],
  ])('show none of them: %s', async (says, wanted) => {
    const problems = await problemsOf(says);
    expect(problems).toEqual([expect.stringMatching(wanted), expect.stringMatching(wanted)]);
    expect(problems.join()).not.toContain('hush');
  });
});

describe('bundledStrategies', () => {
  it('are three', () => {
    expect(bundledStrategies()).toEqual(['ema-cross', 'grid', 'market-maker']);
  });
});
