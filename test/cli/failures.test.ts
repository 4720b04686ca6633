import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../../src/storage/index.ts';
import { backtestFile } from '../app/backtest/fixture.ts';
import { deploymentFile, scratchFile, scratchFolder } from '../app/fixture.ts';
import { ALL_ENDED, type Ending, run } from './command.ts';
import { KEYS as EXCHANGE_KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

const FIXTURES = new URL('fixtures/', import.meta.url).pathname;
const VIRTUAL = ['--virtual', '--for', '5s'];
const KEYS = { ZB_ACCESS_KEY: 'access-hush', ZB_SECRET_KEY: 'secret-hush' };

/** A live deployment on an address of this machine. */
function liveFile(port: number): string {
  const url = `127.0.0.1:${port}`;
  const text = readFileSync('config/live.example.yaml', 'utf8')
    .replaceAll(/https:\/\/\w+\.example\.com/g, `http://${url}`)
    .replace(/wss:\/\/\w+\.example\.com/, `ws://${url}`)
    .replace('var/live.journal', join(scratchFolder(), 'live.journal'));
  return scratchFile('live.yaml', text);
}

function expectEnding(ending: Ending, code: number, message: RegExp): void {
  expect(ending.stderr).toMatch(message);
  expect(ending.code).toBe(code);
  expect(ending.stderr).not.toMatch(/^ +at .*\.ts/m);
}

describe('tradewind run with a wrong configuration ends with 3', () => {
  it('missing environment variables, all at once', async () => {
    const line = (name: string) =>
      `live\\.yaml:\\d+:3: .* the environment variable ${name} is not set, .*`;
    const message = new RegExp(`${line('ZB_ACCESS_KEY')}\n.*${line('ZB_SECRET_KEY')}`);
    expectEnding(await run(['run', liveFile(9)]), 3, message);
  });

  it('parameters that its strategy does not have, whatever the environment and the exchange', async () => {
    const file = scratchFile(
      'live.yaml',
      readFileSync(liveFile(9), 'utf8').replace('spread: 0.004', 'spred: 0.004'),
    );
    const message =
      /^tradewind: .*live\.yaml:\d+:7: Cannot use key "strategies\[0\]\.params\.spred": it is unknown, did you mean "spread"\?\n$/;
    expectEnding(await run(['run', file]), 3, message);
    expectEnding(await run(['run', file], { env: KEYS }), 3, message);
  });

  it('a strategy that imports what there is not, by the place in its own file', async () => {
    const own = (text: string) => scratchFile('own.ts', text);
    const told = async (use: string) =>
      await run(['run', deploymentFile({ strategies: [{ use }] })]);
    const missing = own('import x from "nope";\nexport default x;\n');
    const package_ =
      /Cannot load strategy ".*own\.ts": Cannot find package 'nope' imported from \/\S*\/own\.ts\n$/;
    expectEnding(await told(missing), 3, package_);
    const name = own("\nimport { foo } from '#strategy';\nexport default foo;\n");
    expectEnding(await told(name), 3, /does not provide an export named 'foo' \(own\.ts:2\)\n$/);
    const slip = own("import { quots } from '#strategy';\nexport default quots;\n");
    const hint = /named 'quots' \(own\.ts:1\), did you mean "quotes"\?\n$/;
    expectEnding(await told(slip), 3, hint);
  });
});

describe('tradewind run without an exchange ends with 4', () => {
  it('it is down', async () => {
    const ending = await run(['run', liveFile(9)], { env: KEYS });
    const hint = 'nothing listens there: is that the address, and does `tradewind exchange` run\\?';
    const message = `Cannot start on 127\\.0\\.0\\.1:9: .*ECONNREFUSED.*\n${hint}\n$`;
    expectEnding(ending, 4, new RegExp(message));
    expect(ending.stdout + ending.stderr).not.toContain('hush');
  });

  it('it tells no rules of a traded market that can be read', async () => {
    const rules = { priceScale: 2, amountScale: 4, minAmount: 0.001, minSize: 1 };
    const body = JSON.stringify({ btc_usdt: { ...rules, minSize: null }, eth_usdt: rules });
    const server = createHttpServer((_request, response) => response.end(body));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const ending = await run(['run', liveFile(port)], { env: KEYS });
    server.close();
    const message =
      /Cannot start on .*: the exchange tells no rules of btc_usdt that can be read, .* wanted\n$/;
    expectEnding(ending, 4, message);
  });

  it('its date is far from that of this machine', async () => {
    const { port } = await leapingExchange();
    const off = ['--set', 'venue.timeOffsetMs=3600000'];
    const ending = await run(['run', liveFile(port), ...off], { env: EXCHANGE_KEYS });
    const message =
      /Cannot start on .* 3007 "[^"]*"; by this machine it is 20\d\d-.*Z, a date that is right .* wanted/;
    expectEnding(ending, 4, message);
  });

  it.each([
    ['ZB_ACCESS_KEY', { ZB_ACCESS_KEY: 'access-hush' }],
    ['ZB_SECRET_KEY', { ZB_SECRET_KEY: 'secret-hush' }],
  ])('it does not take the key, for %s is wrong', async (_name, wrong) => {
    const { port } = await leapingExchange();
    const ending = await run(['run', liveFile(port)], { env: { ...EXCHANGE_KEYS, ...wrong } });
    const message =
      /Cannot start on .*: Cannot .* 1003 "[^"]*"; the access key in ZB_ACCESS_KEY or its secret key in ZB_SECRET_KEY is wrong\n$/;
    expectEnding(ending, 4, message);
    for (const value of ['hush', ...Object.values(EXCHANGE_KEYS)]) {
      expect(ending.stdout + ending.stderr).not.toContain(value);
    }
  });

  it('it does not take the key: that is bound to no journal, nor the journal to the venue', async () => {
    const { dataUrl } = await leapingExchange();
    const elsewhere = await leapingExchange();
    const env = { ...EXCHANGE_KEYS, TRADEWIND_LOCKS: scratchFolder() };
    const file = steadyDeployment(dataUrl, { journal: undefined });
    const wrong = { ...env, ZB_SECRET_KEY: 'secret-hush' };
    const cwd = scratchFolder();
    const refused = await run(['run', file], { env: wrong, cwd });
    expectEnding(refused, 4, /its secret key in \S+ is wrong/);
    const left = [join(cwd, 'var'), env.TRADEWIND_LOCKS].flatMap((folder) => readdirSync(folder));
    const kept = left.filter((name) => !name.endsWith('.lock'));
    expect(kept).toEqual(['steady.journal', 'steady.journal.departures']);
    const start = (cwd: string, ...set: string[]) =>
      run(['run', file, '--for', '1s', ...set], { env, cwd });
    expect(await start(scratchFolder())).toMatchObject({ code: 0, stderr: '' });
    const urls = ['dataUrl', 'tradeUrl'].flatMap((name) => {
      return ['--set', `venue.${name}=${elsewhere.dataUrl}`];
    });
    const push = `venue.pushUrl=${elsewhere.dataUrl.replace('http', 'ws')}/websocket`;
    const moved = await start(cwd, ...urls, '--set', push);
    expect(moved).toMatchObject({ code: 0, stderr: '' });
  });

  it('the venue that is followed is down', async () => {
    const follow = { dataUrl: 'http://127.0.0.1:9', pushUrl: 'ws://127.0.0.1:9' };
    const venue = { kind: 'simulated', follow, markets: [{ id: 'btc_usdt' }] };
    const ending = await run(['run', deploymentFile({ venue })]);
    expectEnding(ending, 4, /Cannot follow http:\/\/127\.0\.0\.1:9: /);
  });
});

describe('tradewind run with strategies that are over ends with 5', () => {
  it.each([
    ['throws', /strategy +throws.* failed: it broke on purpose/],
    ['ends', /strategy +ends.* ended: its stream of intents completed/],
  ])('the last one %s: its quotes are cancelled', async (name, message) => {
    const use = `${FIXTURES}${name}.ts`;
    const file = deploymentFile({ strategies: [{ use, name }] });
    const { code, stdout } = await run(['run', file, ...VIRTUAL]);
    expect(stdout).toMatch(message);
    expect(stdout).toMatch(/exchange +0 orders left on it/);
    expect(code).toBe(5);
  });
});

describe('tradewind run with a strategy that tells its keys', () => {
  it('shows them in no log, summary or journal', async () => {
    const { dataUrl } = await leapingExchange();
    const path = join(scratchFolder(), 'leaks.journal');
    const strategies = [{ use: `${FIXTURES}leaks.ts` }];
    const file = steadyDeployment(dataUrl, { strategies, journal: { path } });
    const env = { ...EXCHANGE_KEYS, TRADEWIND_LOCKS: scratchFolder() };
    const { code, stdout, stderr } = await run(['run', file], { env });
    expect(stdout).toContain('"msg":"as ***"');
    expect(stdout).toMatch(/strategy +.*leaks\.ts failed: refused \*\*\* \(leaks\.ts:\d+:\d+\)/);
    const written = [stdout, stderr, readFileSync(path, 'latin1')].join('');
    expect(written).toContain('refused ***');
    for (const key of Object.values(EXCHANGE_KEYS)) expect(written).not.toContain(key);
    expect(code).toBe(5);
  });

  it('shows them nowhere either where nobody catches what it throws', async () => {
    const { dataUrl } = await leapingExchange();
    const path = join(scratchFolder(), 'leaks.journal');
    const strategies = [{ use: `${FIXTURES}leaks-later.ts`, name: 'later' }];
    const file = steadyDeployment(dataUrl, { strategies, journal: { path } });
    const env = { ...EXCHANGE_KEYS, TRADEWIND_LOCKS: scratchFolder() };
    const { code, stdout, stderr } = await run(['run', file], { env });
    const told = 'an error of strategy later that nobody caught: lost *** (leaks-later.ts:8:25)';
    expect(stdout).toContain(`"msg":"${told}; stopping in order"`);
    expect(stdout).toContain(`"stopped     ${told}"`);
    const written = [stdout, stderr, readFileSync(path, 'latin1')].join('');
    for (const key of Object.values(EXCHANGE_KEYS)) expect(written).not.toContain(key);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });
});

describe('tradewind run with a strategy that calls process.exit', () => {
  it.each([
    ['stream', 5],
    ['timer', 1],
  ])('stops in order: from a %s with code %d', async (from, exitCode) => {
    const file = deploymentFile({ strategies: [{ use: `${FIXTURES}quits.ts`, params: { from } }] });
    const { code, stdout } = await run(['run', file], { cwd: scratchFolder() });
    expect(stdout).toMatch(/process\.exit\(0\) was called, .* \(quits\.ts:1[12]:\d+\)/);
    expect(stdout).toMatch(/exchange +0 orders left on it/);
    expect(code).toBe(exitCode);
  });
});

describe('tradewind backtest with a strategy that tells its keys', () => {
  it('does not show them', async () => {
    const keys = { accessKey: { env: 'ZB_ACCESS_KEY' }, secretKey: { env: 'ZB_SECRET_KEY' } };
    const urls = { dataUrl: 'https://a.test', tradeUrl: 'https://a.test', pushUrl: 'wss://a.test' };
    const file = backtestFile({
      ...{ name: 'leaking', venue: { kind: 'zb', ...urls, ...keys }, markets: ['btc_usdt'] },
      strategies: [{ use: `${FIXTURES}leaks.ts` }],
      risk: { orderValueMax: 1e3, openValueMax: 3e3, positionValueMax: 5e3, dailyLossMax: 200 },
      backtest: {
        ...{ from: '2024-01-01', to: '2024-01-02', balances: { usdt: '1000' } },
        generate: { btc_usdt: { startPrice: 30_000 } },
      },
    });
    const env = EXCHANGE_KEYS;
    const { stdout, stderr } = await run(['backtest', file], { cwd: scratchFolder(), env });
    expect(stderr).toContain('refused ***');
    for (const key of Object.values(EXCHANGE_KEYS)) expect(stdout + stderr).not.toContain(key);
  });
});

describe('after an error that nobody caught, with code 1,', () => {
  it('a run stops in order', async () => {
    const file = deploymentFile({ strategies: [{ use: `${FIXTURES}stray-error.ts` }] });
    const { code, stdout } = await run(['run', file], { cwd: scratchFolder() });
    expect(stdout).toMatch(
      /"msg":"an error of strategy \S+stray-error\.ts that nobody caught: nobody catches this \(stray-error\.ts:17:33\); stopping in order"/,
    );
    expect(stdout).not.toContain('"stack"');
    expect(stdout).toMatch(ALL_ENDED);
    expect(stdout).toMatch(/exchange +0 orders left on it/);
    expect(code).toBe(1);
  });

  it('a run stops in order also where a connection broke that is not its own output', async () => {
    const broken = {
      use: `${FIXTURES}stray-error.ts`,
      params: { text: 'write EPIPE', code: 'EPIPE' },
    };
    const file = deploymentFile({ strategies: [broken] });
    const { code, stdout } = await run(['run', file, '--for', '20s'], { cwd: scratchFolder() });
    expect(stdout).toMatch(/that nobody caught: write EPIPE \(stray-error\.ts:\d+:\d+\)/);
    expect(code).toBe(1);
  });

  it('a backtest ends in order and tells whose error it was', async () => {
    const file = backtestFile({
      ...{ name: 'late', venue: { kind: 'simulated' }, markets: ['btc_usdt'] },
      strategies: [{ use: `${FIXTURES}leaks-later.ts` }],
      backtest: {
        ...{ from: '2024-01-01', to: '2024-01-05', balances: { usdt: '1000' } },
        generate: { btc_usdt: { startPrice: 30_000 } },
      },
    });
    const cwd = scratchFolder();
    const { code, stdout, stderr } = await run(['backtest', file, '--out', 'late'], { cwd });
    expect(stderr).toMatch(
      /^tradewind: an error of strategy \S*leaks-later\S* that nobody caught: lost undefined \(leaks-later\.ts:8:25\)$/m,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('Missed orders');
    expect(existsSync(join(cwd, 'late', 'metrics.json'))).toBe(true);
  });
});

describe('tradewind run', () => {
  it('trades by the live example once addresses and keys are put in', async () => {
    const { port, resting } = await leapingExchange();
    const { code, stdout } = await run(['run', liveFile(port), '--for', '2s'], {
      env: EXCHANGE_KEYS,
    });
    expect(stdout).toMatch(ALL_ENDED);
    expect(code).toBe(0);
    expect(resting('main')).toBe(0);
  });

  it('says that its journal is none, with code 7', async () => {
    const path = scratchFile('a.journal', 'this is no journal'.repeat(100));
    const ending = await run(['run', deploymentFile({ journal: { path } })]);
    expectEnding(ending, 7, /Cannot open the journal .*a\.journal/);
  });

  it('looks whether its journal is free before it opens anything, with code 7', async () => {
    const file = liveFile(9);
    const path = /path: (.*)/.exec(readFileSync(file, 'utf8'))![1]!;
    const lock = takeLock(path);
    const inUse = /Cannot open the journal .*live\.journal: process \d+ uses it, one at a time/;
    expectEnding(await run(['run', file], { env: KEYS }), 7, inUse);
    expect(existsSync(`${path}.lock`)).toBe(true);
    lock.release();
    lock.release();
    expectEnding(await run(['run', file], { env: KEYS }), 4, /ECONNREFUSED/);
    expect(readdirSync(dirname(path))).toEqual([`${basename(path)}.lock`]);
  });

  it('says that its journal can have no folder, with code 7', async () => {
    const path = join(scratchFile('a', ''), 'b', 'a.journal');
    const ending = await run(['run', deploymentFile({ journal: { path } })]);
    expectEnding(
      ending,
      7,
      /Cannot open the journal .*\/a\/b\/a\.journal: .*\/a is no folder, one is wanted/,
    );
  });

  it.skipIf(process.platform === 'win32')(
    'says that the folder is gone from which its journal is reckoned, with code 7',
    async () => {
      const file = deploymentFile({ journal: { path: 'a.journal' } });
      const ending = await run(['run', file], { below: ['nowhere'], cwd: scratchFolder() });
      expectEnding(
        ending,
        7,
        /Cannot open the journal a\.journal: the folder that this command was started in is gone/,
      );
    },
  );
});

describe('tradewind run, of a strategy that imports what it does not find', () => {
  /** What is told of a module with such an import, beside what is in the folder. */
  async function told(named: string, ...files: string[]): Promise<string> {
    const use = scratchFile('mine.ts', `import '${named}';\n`);
    for (const file of files.map((one) => join(dirname(use), one))) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
    }
    const { code, stderr } = await run(['run', deploymentFile({ strategies: [{ use }] })]);
    expect(code).toBe(3);
    return stderr;
  }

  it.each([
    ['./helper', 'helper.ts'],
    ['./folder', 'folder/index.ts'],
  ])('says which file %s may mean', async (named, meant) => {
    expect(await told(named, meant)).toMatch(
      new RegExp(
        `(Cannot find module|Directory import) .* imported from .*, did you mean "${meant}"\\?\n`,
      ),
    );
  });

  it('names none where there is none', async () => {
    expect(await told('./helper')).toMatch(/imported from \S+mine\.ts\n$/);
  });
});

describe('tradewind exchange', () => {
  it('says what its configuration lacks, with code 3', async () => {
    const config = scratchFile('a.yaml', 'server: { prot: 1 }');
    const ending = await run(['exchange', '--config', config]);
    expectEnding(ending, 3, /a\.yaml:1:11: .*"server\.prot": it is unknown, did you mean "port"\?/);
  });
});
