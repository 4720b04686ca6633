import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { faultSchema } from '../../src/app/faults/index.ts';
import type { AdminBody } from '../app/admin/answers.ts';
import { ROOT, scratchFolder } from '../app/fixture.ts';
import { type RunningCommand, start } from '../cli/command.ts';
import { type Example, examplesOf, fileOf, textOf } from './pages.ts';

const PAGE = 'docs/exchange-simulator.md';
const EXAMPLES = examplesOf(PAGE);

function marked(mark: string): Example[] {
  return EXAMPLES.filter(({ marks }) => marks.includes(mark));
}

/** What a command of the page prints, read as JSON. */
function printed(command: string): Promise<AdminBody> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', () => {
      try {
        resolve(JSON.parse(text));
      } catch (cause) {
        reject(new Error(`${command} printed ${JSON.stringify(text)}`, { cause }));
      }
    });
  });
}

async function inTurn(commands: readonly string[]): Promise<AdminBody[]> {
  const answers = [];
  for (const command of commands) answers.push(await printed(command));
  return answers;
}

/** An exchange as the page starts it, on free ports, and commands with those in place. */
async function startedAs(flags: readonly string[]) {
  const exchange = start(['exchange', ...flags, '--port', '0', '--admin-port', '0']);
  const [, served] = await exchange.seen(/"dataUrl":"http:\/\/([^"]+)"/);
  const [, admin] = await exchange.seen(/"adminUrl":"http:\/\/([^"]+)"/);
  const placed = (text: string) =>
    text.replaceAll('127.0.0.1:8710', served!).replaceAll('127.0.0.1:8711', admin!);
  return { exchange, placed };
}

/** The keys of the bundled exchange, as a bot takes them. */
function bundledKeys(): Record<string, string> {
  const config = parse(readFileSync(new URL('config/exchange.yaml', ROOT), 'utf8')) as {
    server: { keys: { accessKey: string; secretKey: string }[] };
  };
  const [{ accessKey, secretKey }] = config.server.keys as [(typeof config.server.keys)[0]];
  return { ZB_ACCESS_KEY: accessKey, ZB_SECRET_KEY: secretKey };
}

describe("the operator's commands of the page", () => {
  it('are answered as they say, each of them', async () => {
    const { placed } = await startedAs(['--time', 'stepped']);
    const commands = marked('with-admin').flatMap(({ text }) => text.trim().split('\n'));
    expect(commands.length).toBeGreaterThan(8);
    for (const command of commands) {
      const answer = await printed(placed(command));
      // The page cannot know the id of a withdrawal; the answer shows that its path is right.
      const wanted = command.includes('/withdrawals/')
        ? /^Cannot set the withdrawal 2026/
        : undefined;
      if (wanted === undefined) expect(answer, command).not.toHaveProperty('error');
      else expect(answer.error).toMatch(wanted);
    }
  });

  it('name every kind of fault, and none that there is not', () => {
    const table = textOf(PAGE).slice(textOf(PAGE).indexOf('| `kind` |'));
    const rows = [
      ...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm),
    ];
    const named = rows.slice(1).flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)]);
    const kinds = faultSchema.options.map(({ shape }) => shape.kind.value);
    expect(named.map(([, kind]) => kind).sort()).toEqual(kinds.sort());
  });

  it('rehearse a crash: the orders of a killed bot are gone a minute of the exchange later', async () => {
    const [{ text }] = marked('with-crash') as [Example];
    const [serve, run, kill, ...curls] = text.trim().split('\n');
    expect([serve, run, kill]).toEqual([
      'npx tradewind exchange --time scaled --admin-port 8711 &',
      'npx tradewind run my/maker.yaml &',
      'kill -9 %2',
    ]);
    const { placed } = await startedAs(['--time', 'scaled']);
    const bot = startBot(placed);
    const look = () => printed(placed(curls[0]!));
    while (restingIn(await look()) < 6) expect(bot.process.exitCode).toBeNull();
    bot.process.kill('SIGKILL');
    await bot.ended;
    const [before, advanced, after] = (await inTurn(curls.map(placed))) as [
      AdminBody,
      AdminBody,
      AdminBody,
    ];
    expect(restingIn(before)).toBe(6);
    expect(Object.keys(before.accounts.main.timedCancelsDue)).toEqual(['btc_usdt']);
    expect(advanced).not.toHaveProperty('error');
    expect(restingIn(after)).toBe(0);
    const { timedCancelsFired } = before.accounts.main;
    expect(after.accounts.main.timedCancelsFired).toBe(timedCancelsFired + 1);
  });
});

function restingIn(state: AdminBody): number {
  return Object.values(state.accounts.main.openOrders).flat().length;
}

function startBot(placed: (text: string) => string): RunningCommand {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'my'));
  const [maker] = EXAMPLES.filter((example) => fileOf(example) === 'my/maker.yaml') as [Example];
  writeFileSync(join(folder, 'my/maker.yaml'), placed(maker.text));
  return start(['run', 'my/maker.yaml'], { cwd: folder, env: bundledKeys() });
}
