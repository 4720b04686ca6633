import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fromEnvironment, loadDeployment } from '../../src/app/load-deployment.ts';
import { deploymentFile, deploymentSettings, scratchPipe } from './fixture.ts';

/** What is told of a deployment with these settings, line by line. */
function problemsOf(settings: Record<string, unknown>): string[] {
  try {
    loadDeployment(deploymentFile(settings));
    return [];
  } catch (thrown) {
    return (thrown as Error).message.split('\n');
  }
}

describe('loadDeployment', () => {
  it('gives the same hash to the same settings, defaults written out or not', () => {
    const bare = loadDeployment(deploymentFile({ log: { format: 'json' } }));
    const full = loadDeployment(deploymentFile({ log: { format: 'json', level: 'info' } }));
    expect(full.configHash).toBe(bare.configHash);
  });

  it('gives the same hash whether or not parts name what they take from others', () => {
    const { venue } = deploymentSettings() as { venue: object };
    const backtest = (own: object) => ({
      balances: { usdt: '1' },
      generate: { btc_usdt: { startPrice: 1, ...own } },
    });
    const hashOf = (own: object, data: object) => {
      const parts = { seed: 'a', venue: { ...venue, seed: undefined, ...own }, data };
      return loadDeployment(deploymentFile({ ...parts, backtest: backtest(own) })).configHash;
    };
    expect(hashOf({ seed: 'a' }, { requestTimeoutMs: 5_000 })).toBe(hashOf({}, {}));
  });

  it('puts a seed that it is told in place of every one of the file', () => {
    const generate = { btc_usdt: { startPrice: 1, seed: 'own' } };
    const file = deploymentFile({ seed: 'a', backtest: { balances: { usdt: '1' }, generate } });
    const { config, configHash } = loadDeployment(file, { seed: 'b' });
    expect(config).toMatchObject({ seed: 'b', venue: { seed: 'b' } });
    expect(config.backtest?.generate.btc_usdt?.seed).toBe('b');
    expect(configHash).not.toBe(loadDeployment(file).configHash);
  });

  it('gives another hash to other settings', () => {
    const one = loadDeployment(deploymentFile({ seed: 'a' }));
    const other = loadDeployment(deploymentFile({ seed: 'b' }));
    expect(other.configHash).not.toBe(one.configHash);
  });
});

describe('loadDeployment, where strategies are wrong,', () => {
  it('tells strategies that there are not with all else that is wrong, in the order of the file', () => {
    const strategies = [
      { use: 'grid', params: { amount: 1 } },
      { use: 'gird' },
      { use: './none.ts' },
      { use: 7 },
      null,
    ];
    const lines = problemsOf({ name: 'A B', strategies, risk: { dailyLosMax: 1 } });
    expect(lines.map((line) => /: (Cannot [^,]+)/.exec(line)?.[1])).toEqual([
      'Cannot use "name": it is "A B"',
      'Cannot find strategy "gird"',
      'Cannot find strategy "./none.ts"',
      'Cannot use "strategies[3].use": it is 7',
      'Cannot use "strategies[4]": it is missing',
      'Cannot use key "risk.dailyLosMax": it is unknown',
    ]);
  });

  it('tells what is wrong with parameters and markets with all else, whatever is set outside', () => {
    const venue = {
      kind: 'zb',
      ...{ dataUrl: 'https://a.example', tradeUrl: 'https://b.example' },
      pushUrl: 'wss://c.example',
      accessKey: { env: 'NOT_SET' },
      secretKey: { env: 'NOT_SET_EITHER' },
    };
    const strategies = [
      { use: 'grid', params: { amunt: 1, lines: 0 }, markets: ['btc_usd'] },
      { use: 'grid', name: 'other', params: [], markets: 'all' },
    ];
    const settings = { venue, markets: ['btc_usdt'], strategies };
    const lines = problemsOf({ ...settings, risk: { dailyLosMax: 1 } });
    expect(lines.map((line) => /: (Cannot .*?: [^,]+)/.exec(line)?.[1])).toEqual([
      'Cannot use "strategies[0].params.amount": it is missing',
      'Cannot use key "strategies[0].params.amunt": it is unknown',
      'Cannot use "strategies[0].params.lines": it is 0',
      'Cannot use market "btc_usd": the deployment has btc_usdt',
      'Cannot use "strategies[1].params": it is an empty list',
      'Cannot use "strategies[1].markets": it is "all"',
      'Cannot use key "risk.dailyLosMax": it is unknown',
    ]);
    expect(problemsOf({ ...settings, strategies: strategies.slice(0, 1) })).toHaveLength(4);
  });

  it('tells markets that its own exchange does not have with all else, where it is to trade', () => {
    const file = deploymentFile({ markets: ['btc_usd'], risk: { dailyLosMax: 1 } });
    const told = (trades: boolean) => () => loadDeployment(file, { trades });
    expect(told(true)).toThrow(/Cannot trade market "btc_usd": .*\n.*Cannot use key "risk\./);
    expect(told(false)).toThrow(/^.*Cannot use key "risk\.dailyLosMax": .*$/);
  });

  it('has nothing to say of strategies where the file names none', () => {
    for (const strategies of [undefined, 'grid', {}]) {
      expect(() => loadDeployment(deploymentFile({ strategies }))).toThrow(
        /^.*Cannot use "strategies": .*$/,
      );
    }
  });
});

describe('loadDeployment, of files,', () => {
  it.each(['', ' ', 'var/'])('refuses the path %j, of no file, for a journal', (path) => {
    expect(() => loadDeployment(deploymentFile({ journal: { path } }))).toThrow(
      `Cannot use "journal.path": it is ${path === '' ? 'empty' : `"${path}"`}, the path of a file is wanted`,
    );
  });

  it('says that a file is not there, a folder or a pipe, of which it waits for none', () => {
    expect(() => loadDeployment('config')).toThrow(
      'Cannot read config: it is a folder, the file of a deployment is wanted',
    );
    const message = 'Cannot read nowhere.yaml: there is no such file, a deployment is wanted';
    expect(() => loadDeployment('nowhere.yaml')).toThrow(
      expect.objectContaining({ exitCode: 3, message }),
    );
    expect(() => loadDeployment('config/dmo.yaml')).toThrow(
      'Cannot read config/dmo.yaml: there is no such file, did you mean "config/demo.yaml"?',
    );
    expect(() => loadDeployment(scratchPipe())).toThrow(
      /^Cannot read .*pipe: it is a named pipe, which waits for who writes it, a file is wanted$/,
    );
  });
});

describe('loadDeployment, with settings,', () => {
  it('gives the same hash to a said instead, and to the file that says it', () => {
    const set = ['risk.orderValueMax=7', 'strategies.market-maker.params.amount=0.001'];
    const { config, configHash } = loadDeployment(deploymentFile(), { set });
    const { risk, strategies } = deploymentSettings() as {
      risk: object;
      strategies: { params: object }[];
    };
    const [one] = strategies;
    const said = deploymentFile({
      risk: { ...risk, orderValueMax: 7 },
      strategies: [{ ...one, params: { ...one?.params, amount: 0.001 } }],
    });
    expect(configHash).toBe(loadDeployment(said).configHash);
    expect(config).toMatchObject({ risk: { orderValueMax: 7 } });
  });

  it('tells what is wrong with a setting as in the file, at its own place', () => {
    const set = ['risk.orderValueMx=7', 'fees.maker=1', 'strategies.0.use=gird'];
    const file = deploymentFile({ name: 'A B' });
    expect(() => loadDeployment(file, { set })).toThrow(
      new RegExp(
        [
          '^--set fees.maker: Cannot use "fees.maker": it is 1, a number of at most 0.1 is wanted',
          '--set risk.orderValueMx: Cannot use key .*: it is unknown, did you mean "orderValueMax"\\?',
          '--set strategies.0.use: Cannot find strategy "gird", did you mean "grid"\\?',
          '.*deployment.yaml:1:1: Cannot use "name": it is "A B", .*$',
        ].join('\n'),
      ),
    );
  });
});

describe('fromEnvironment', () => {
  const { yaml } = loadDeployment('config/live.example.yaml');
  const referenceTo = (name: string, key = 'accessKey') => ({ name, path: ['venue', key] });

  it('gives the values of the variables', () => {
    const path = referenceTo('PATH');
    expect(fromEnvironment([path, path], yaml)).toEqual([process.env.PATH, process.env.PATH]);
  });

  it('names every variable that is missing and the place that refers to it', () => {
    const references = [
      referenceTo('TRADEWIND_NOT_SET'),
      referenceTo('PATH'),
      referenceTo('TRADEWIND_NOT_SET_EITHER', 'secretKey'),
    ];
    const line = (name: string) =>
      `live\\.example\\.yaml:\\d+:3: .* environment variable ${name} is not set.*`;
    expect(() => fromEnvironment(references, yaml)).toThrow(
      new RegExp(`${line('TRADEWIND_NOT_SET')}\n.*${line('TRADEWIND_NOT_SET_EITHER')}$`),
    );
  });

  it('says what stands beside a value, and not the value', () => {
    vi.stubEnv('QUOTED_KEY', "'hush-hush'");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => fromEnvironment([referenceTo('QUOTED_KEY')], yaml)).toThrow(
      /:3: Cannot read venue\.accessKey: the environment variable QUOTED_KEY has quotes around it, the key alone is wanted$/,
    );
  });
});
