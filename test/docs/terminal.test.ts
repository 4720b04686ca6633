import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setPosition } from '../../src/app/terminal/set-position.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { ROOT, scratchFolder } from '../app/fixture.ts';
import { runOf, journalWith as tradedJournal } from '../app/journal/fixture.ts';
import { fakeVenue, orderRecord } from '../app/terminal/fixture.ts';
import { run, start } from '../cli/command.ts';
import { line } from '../cli/commands/fixture.ts';
import { makePending } from '../domain/fixture.ts';
import { orderEvent } from '../storage/events.ts';
import { writtenRun } from '../storage/fixture.ts';
import { examplesOf, fileOf, textOf } from './pages.ts';

const PAGE = 'docs/terminal.md';
const EXAMPLES = examplesOf(PAGE);
const BIN = fileURLToPath(new URL('bin/tradewind.js', ROOT));
const marked = (mark: string) => EXAMPLES.filter(({ marks }) => marks.includes(mark));

/** Each command stands on a line of its own; those of a page share a folder and an exchange. */
const COMMAND = /^npx tradewind (market|account|orders|withdraw)\b.*$/gm;

/** The page's commands, word for word, but for where the exchange is. */
function scriptOf(text: string, { dataUrl, pushUrl }: { dataUrl: string; pushUrl: string }) {
  return text.replace(COMMAND, (command, group) => {
    const places = [`--data-url ${dataUrl}`];
    if (group !== 'market') places.push(`--trade-url ${dataUrl}`);
    if (command.includes('--follow')) places.push(`--push-url ${pushUrl}`);
    const line = `'${process.execPath}' '${BIN}' ${command.replace('npx tradewind ', '')}`;
    return `echo '$ ${command}'; ${line} ${places.join(' ')}`;
  });
}

/** The exchange of the page, on a free port, and a folder that holds its files. */
async function servedPage() {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'my'));
  for (const example of EXAMPLES.filter((one) => fileOf(one) !== undefined)) {
    writeFileSync(join(folder, fileOf(example)!), example.text);
  }
  const config = join(folder, 'my/exchange.yaml');
  const exchange = start(['exchange', '--config', config, '--port', '0']);
  const [, dataUrl] = await exchange.seen(/"dataUrl":"([^"]+)"/);
  const [, pushUrl] = await exchange.seen(/"pushUrl":"([^"]+)"/);
  return { folder, dataUrl: dataUrl!, pushUrl: pushUrl! };
}

async function runScript(script: string, cwd: string) {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd });
  onTestFinished(() => void shell.kill('SIGKILL'));
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(shell, 'close');
  return { code, output };
}

describe('the commands of docs/terminal.md', () => {
  it('run, one after the other, on the exchange that the page describes', async () => {
    const { folder, ...place } = await servedPage();
    const script = marked('on-exchange').map(({ text }) => scriptOf(text, place));
    const { code, output } = await runScript(script.join('\n'), folder);
    expect(code, output).toBe(0);
    const commands = marked('on-exchange').flatMap(({ text }) => text.match(COMMAND) ?? []);
    expect(commands.length).toBeGreaterThan(25);
    for (const command of commands) expect(output).toContain(`$ ${command}\n`);
    expect(output).toMatch(/cancelled \d of \d, verified/);
    expect(output).toMatch(/submitted, id \d+/);
    expect(output).toMatch(/risk rate \(worth \/ loans\): 1\.666\d+\n/);
    for (const secret of ['play-secret', 'play-password']) expect(output).not.toContain(secret);
  }, 120_000);

  it('that ask a person refuse without one', async () => {
    const environment = { ZB_ACCESS_KEY: 'a', ZB_SECRET_KEY: 'b' };
    const commands = marked('with-person').flatMap(({ text }) => text.match(COMMAND) ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const ending = await run(command.split(' ').slice(2), { env: environment });
      expect(ending).toMatchObject({ code: 11, stdout: '' });
      expect(ending.stderr).toContain('there is no terminal to ask at');
    }
  });
});

/** A command line for each row of the table, on a venue that has something to show. */
const SAMPLES: Readonly<Record<string, string>> = {
  'market list': '',
  'market tickers': '',
  'market depth': 'btc_usdt',
  'market trades': 'btc_usdt',
  'market candles': 'btc_usdt',
  'account info': '',
  'account balances': '',
  'account balances --account isolated': '',
  'account balances --account cross': '',
  'account bills': '',
  'account addresses': 'btc',
  'account deposits': 'btc',
  'account withdrawals': 'btc',
  'account fees': '',
  'account auto-borrow': 'on',
  'account auto-repay': 'off',
  'orders list': '--market btc_usdt',
  'orders show': '--market btc_usdt --id 55',
  'orders place': '--market btc_usdt --side buy --price 50000 --amount 0.01',
  'orders place-batch': '--market btc_usdt --side buy 0.01@50000',
  'orders cancel': '--market btc_usdt --id 55',
  'orders cancel-all': '--market btc_usdt',
  'orders cancel-all --in-a-minute': '--market btc_usdt',
  'orders settle': 'lost1 --never-placed --journal JOURNAL',
  'positions set': 'btc_usdt 0 --strategy maker --journal TRADED',
  'journal runs': 'TRADED',
  'journal trades': 'TRADED',
  'journal days': 'TRADED',
  'journal events': 'TRADED',
  'journal check': 'TRADED',
  withdraw: 'btc 0.5 --yes',
};

/** A journal of a trade that closed, and of one that is open, of which a half went by hand. */
function traded(): string {
  const journal = tradedJournal([runOf(['buy', 100, 1], ['sell', 101, 1], ['buy', 100, 1])]);
  setPosition({ journal, market: 'btc_usdt', strategy: 'maker', amount: Decimal.of('0.5') });
  return journal;
}

/** A journal with an order in doubt. */
function journalWith(clientOrderId: string): string {
  return writtenRun([orderEvent(makePending({ clientOrderId }))]);
}

/** Every key of a document, of the groups in it too; an event is as the journal has it. */
function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    key,
    ...(key === 'event' ? [] : keysOf(inner)),
  ]);
}

const rows = [...textOf(PAGE).matchAll(/^\| `([a-z -]+)` \| (.+) \|$/gm)].map(
  ([, command, keys]) => [command!, keys!] as const,
);

describe('the keys of docs/terminal.md', () => {
  it('are told of every command', () => {
    expect(rows.map(([command]) => command)).toEqual(Object.keys(SAMPLES));
  });

  it.each(rows)('are those of %s', async (command, cell) => {
    const environment = { ZB_FUNDS_PASSWORD: 'play-password' };
    const venue = fakeVenue({ orders: [orderRecord({ exchangeOrderId: '55' })] });
    const sample = SAMPLES[command]!.replace('JOURNAL', () => journalWith('lost1')).replace(
      'TRADED',
      () => traded(),
    );
    const { json } = await line(`${command} ${sample} --json`, { venue, environment });
    const told = cell
      .replace(/\([^)]*\)/g, '')
      .replace('the keys of `orders show`', rows.find(([name]) => name === 'orders show')![1])
      .replace(/\([^)]*\)/g, '')
      .replace(' or `clientOrderId`', '');
    const documented = [...told.matchAll(/`(\w+)`/g)].map(([, key]) => key!);
    expect([...new Set(keysOf(json()))].sort()).toEqual([...new Set(documented)].sort());
  });
});
