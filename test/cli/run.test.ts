import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { interval } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readFrom } from '../../src/storage/index.ts';
import { ROOT, scratchFile, scratchFolder } from '../app/fixture.ts';
import { eventsIn } from '../storage/fixture.ts';
import { ALL_ENDED, type RunningCommand, run, start } from './command.ts';
import { KEYS, steadyDeployment } from './exchange.ts';

const BIN = new URL('bin/tradewind.js', ROOT).pathname;
/** Gives what it runs a terminal: on Debian it is always there. */
const SCRIPT = '/usr/bin/script';
const DEMO = new URL('config/demo.yaml', ROOT).pathname;

/** Makes a process take its pipe for a terminal. */
const ON_TERMINAL = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent('Object.assign(process.stdout, { isTTY: true, hasColors: () => false })')}`,
  TERM: 'xterm',
};

/** Sends the signal again and again until the output matches. */
async function insist(command: RunningCommand, pattern: RegExp): Promise<void> {
  const pressing = interval(50).subscribe(() => command.process.kill('SIGINT'));
  await command.seen(pattern);
  pressing.unsubscribe();
}

describe('tradewind run config/demo.yaml', () => {
  it('trades through the real client until Ctrl-C: all orders cancelled and verified', async () => {
    const demo = start(['run', DEMO], { cwd: scratchFolder() });
    await demo.seen(/market-maker (bought|sold) /);
    demo.process.kill('SIGINT');
    const { code, stdout, stderr } = await demo.ended;
    expect(stdout).toMatch(/stopped +SIGINT asked for it/);
    expect(stdout).toMatch(/quotes +[1-9]\d* orders sent/);
    expect(stdout).toMatch(/fills +[1-9]/);
    expect(stdout).toMatch(/heartbeats +[1-9]\d* confirmed, 0 lapses/);
    expect(stdout).toMatch(ALL_ENDED);
    expect(stdout).toMatch(/exchange +0 orders left on it, at most \d+ requests? in any second/);
    expect(stderr).toBe(
      'tradewind: stopping: cancelling all orders and verifying that none is left…\n',
    );
    expect(code).toBe(0);
  });

  it('keeps in its journal the settings that the command line puts in place of the file', async () => {
    const cwd = scratchFolder();
    const settings = ['--set', 'strategies.market-maker.params.spread=0.0007'];
    const { code, stderr } = await run(['run', DEMO, '--for', '1s', ...settings], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const basis = readFrom(join(cwd, 'var/demo.journal'), (reader) => reader.basis(1));
    expect(basis?.config).toMatchObject({ strategies: [{ params: { spread: 0.0007 } }] });
  });

  it('refuses to share its journal, with code 7', async () => {
    const cwd = scratchFolder();
    const demo = start(['run', DEMO], { cwd });
    await demo.seen(/strategy market-maker started/);
    const { code, stderr } = await run(['run', DEMO], { cwd });
    expect(stderr).toContain(
      `Cannot open the journal var/demo.journal: process ${demo.process.pid} uses it ` +
        `(newest run: of ${DEMO}, since 20`,
    );
    expect(code).toBe(7);
  });
});

describe('tradewind run in a pipe', () => {
  it.each([
    ['auto', 'info', true],
    ['json', 'silent', true],
    ['pretty', 'info', false],
  ])('ends what is piped as its log goes on: %s, %s', async (format, level, isJson) => {
    const log = ['--set', `log.format=${format}`, '--set', `log.level=${level}`];
    const { stdout } = await run(['run', DEMO, '--virtual', '--for', '5s', ...log]);
    const lines = stdout.trimEnd().split('\n');
    if (!isJson) {
      expect(lines.at(-1)).toMatch(/^ {2}hash +[0-9a-f]{64}$/);
      return;
    }
    const objects = lines.map((line) => JSON.parse(line));
    expect(objects.at(-1)).toMatchObject({ level: 'info', summary: { exitCode: 0 } });
    expect(objects.filter(({ summary }) => summary !== undefined)).toHaveLength(1);
    if (level === 'silent') expect(objects).toHaveLength(1);
  });

  it.runIf(existsSync(SCRIPT) && process.platform === 'linux')(
    'tells whoever looks on beside a pipe what it came to',
    () => {
      const piped = join(scratchFolder(), 'piped.log');
      const command = `"${process.execPath}" "${BIN}" run "${DEMO}" --virtual --for 5s >"${piped}"`;
      const { stdout } = spawnSync(SCRIPT, ['-qec', command, '/dev/null'], { encoding: 'utf8' });
      expect(stdout).toMatch(/hash +[0-9a-f]{64}\r?\n$/);
      const last = readFileSync(piped, 'utf8').trimEnd().split('\n').at(-1)!;
      expect(JSON.parse(last)).toMatchObject({ summary: { exitCode: 0 } });
    },
  );
});

it('tradewind run on a terminal shows with each line of its stop that it is STOPPING', async () => {
  const demo = start(['run', DEMO], { cwd: scratchFolder(), env: ON_TERMINAL });
  await demo.seen(/our bids +\d/);
  demo.process.kill('SIGINT');
  const { stdout } = await demo.ended;
  const stop = stdout.slice(stdout.indexOf('stopping: SIGINT asked for it'));
  const states = Array.from(stop.matchAll(/ {2}state +(\w+)/g), ([, state]) => state);
  expect([...new Set(states)]).toEqual(['STOPPING', 'STOPPED']);
  const [, shown] = /stopped: cancelled [\s\S]*?(our bids[\s\S]*?)safety/.exec(stop) ?? [];
  expect(shown).toMatch(/our bids +-\n[\s\S]*our asks +-\n/);
});

describe('tradewind run on a terminal that cannot draw', () => {
  it('tells people line by line, without a block', async () => {
    const env = { ...ON_TERMINAL, TERM: 'dumb' };
    const { stdout } = await run(['run', DEMO, '--virtual', '--for', '5s'], { env });
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d info +strategy market-maker started$/m);
    expect(stdout).toMatch(/^ {2}stopped +its time is over$/m);
    for (const sign of ['{', '\u001b']) expect(stdout).not.toContain(sign);
    expect(stdout).not.toMatch(/^ {2}safety/m);
  });
});

describe('tradewind run, of which nobody reads', () => {
  it('its output, stops in order, and says to standard error what became of its orders', async () => {
    const cwd = scratchFolder();
    const demo = start(['run', DEMO], { cwd });
    await demo.seen(/strategy market-maker started/);
    demo.process.stdout?.destroy();
    const { code, stderr } = await demo.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^\ndemo on simulated exchange[\s\S]*open orders? cancelled,.* verified\n/,
    );
    const ends = eventsIn(join(cwd, 'var/demo.journal')).filter(({ kind }) => kind === 'run');
    expect(ends.at(-1)).toMatchObject({ status: 'stopped' });
    expect(ends.at(-2)).toMatchObject({ reason: 'nobody reads its output' });
  });

  it('what it says of its stop, takes that for no error', async () => {
    const demo = start(['run', DEMO], { cwd: scratchFolder() });
    await demo.seen(/strategy market-maker started/);
    demo.process.stderr?.destroy();
    demo.process.kill('SIGINT');
    const { code, stdout } = await demo.ended;
    expect(stdout).toMatch(/stopped +SIGINT asked for it/);
    expect(stdout).not.toContain('EPIPE');
    expect(code).toBe(0);
  });
});

/** A bot whose two orders rest at an exchange that hears nothing any more. */
async function botOfSilence(env: Readonly<Record<string, string>>): Promise<RunningCommand> {
  const key = { accessKey: KEYS.ZB_ACCESS_KEY, secretKey: KEYS.ZB_SECRET_KEY };
  const settings = {
    server: { keys: [key] },
    markets: [{ id: 'btc_usdt', synthetic: { startPrice: 60_000, historyHours: 1 } }],
  };
  const config = scratchFile('exchange.yaml', stringify(settings));
  const exchange = start(['exchange', '--config', config, '--port', '0']);
  const [, url] = await exchange.seen(/"dataUrl":"([^"]+)"/);
  const bot = start(['run', steadyDeployment(url!)], { env: { ...KEYS, ...env } });
  await bot.seen(/open: sell .*open: buy|open: buy .*open: sell/s);
  // From here on no cancel can be confirmed.
  exchange.process.kill('SIGSTOP');
  await insist(bot, /stopping: cancelling all orders/);
  return bot;
}

describe('a second and a third Ctrl-C', () => {
  it('say what is waited for, then quit with code 6, the orders named and the cursor back', async () => {
    const bot = await botOfSilence(ON_TERMINAL);
    await insist(bot, /still cancelling and verifying; once more quits without that/);
    await insist(bot, /quit unverified: the timed cancel removes what rests/);
    const { code, stdout } = await bot.ended;
    expect(code).toBe(6);
    expect(stdout.match(/\[\?25[hl]/g)?.at(-1)).toBe('[?25h');
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toMatch(/stopped +a third signal asked for it/);
    expect(text).toMatch(/at stop +0 of 2 open orders cancelled, NOT VERIFIED/);
    expect(text.match(/may still rest: btc_usdt (buy|sell) \S+ @ \S+, id \d+/g)).toHaveLength(2);
    expect(text).toMatch(/the exchange cancels what rests in these markets by \d\d:\d\d:\d\d UTC/);
    expect(text).toMatch(/to cancel all there: .*tradewind orders cancel-all --market btc_usdt/);
  });

  it('end a pipe of JSON with the summary', async () => {
    const bot = await botOfSilence({});
    await insist(bot, /quit unverified/);
    const { code, stdout } = await bot.ended;
    expect(code).toBe(6);
    const last: unknown = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
    expect(last).toMatchObject({
      level: 'error',
      summary: {
        ...{ exitCode: 6, outcome: 'unverified' },
        orders: { of: 2, verified: false, remaining: [{}, {}], lapseAtMs: expect.any(Number) },
      },
    });
  });

  it('say that nothing is open while a strategy file still loads', async () => {
    const file = scratchFile('slow.mjs', 'await new Promise(() => setInterval(() => {}, 9));');
    const deployment = steadyDeployment('http://127.0.0.1:9', { strategies: [{ use: file }] });
    const bot = start(['run', deployment], { env: KEYS });
    await bot.seen(/seed of this run/);
    await insist(bot, /stopping: nothing is open yet, and this run has placed no order/);
    const { stderr } = await bot.ended;
    expect(stderr).not.toContain('cancelling all orders');
  });
});
