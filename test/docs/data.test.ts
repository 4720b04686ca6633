import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { FAULT_MEANINGS, RECORDED_KINDS } from '../../src/app/history/index.ts';
import { scratchFolder } from '../app/fixture.ts';
import { run, start } from '../cli/command.ts';
import { examplesOf, fileOf, textOf } from './pages.ts';

const PAGE = 'docs/data.md';
const EXAMPLES = examplesOf(PAGE);

it('the commands of docs/data.md run, one after the other, on the files of the page', async () => {
  const cwd = scratchFolder();
  for (const example of EXAMPLES) {
    const file = fileOf(example);
    if (file === undefined) continue;
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), example.text);
  }
  const commands = EXAMPLES.filter(({ marks }) => marks.includes('with-data'))
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((command) => command.replace(/^npx tradewind /, ''));
  expect(commands.length).toBeGreaterThan(9);
  let output = '';
  for (const command of commands) {
    const { code, stdout, stderr } = await run(command.split(' '), { cwd });
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
    output += stdout;
  }
  for (const seen of ['binance.btc_usdt.1min', 'broker.eth_usdt.1min', '1 candle', '83.33 %']) {
    expect(output).toContain(seen);
  }
}, 120_000);

it('the downloads and recordings of docs/data.md run on an exchange', async () => {
  const cwd = scratchFolder();
  const exchange = start(['exchange', '--port', '0']);
  const [, dataUrl] = await exchange.seen(/"dataUrl":"([^"]+)"/);
  const [, pushUrl] = await exchange.seen(/"pushUrl":"([^"]+)"/);
  const commands = EXAMPLES.filter(({ marks }) => marks.includes('on-exchange'))
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((command) => command.replace(/^npx tradewind /, '').replace('--for 10m', '--for 2s'));
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) {
    const places = ['--data-url', dataUrl!];
    if (command.includes('record')) places.push('--push-url', pushUrl!);
    const { code, stderr } = await run([...command.split(' '), ...places], { cwd });
    expect({ command, code, stderr: stderr.replace(/^.*: a gap begins at .*\n/gm, '') }).toEqual({
      ...{ command, code: 0, stderr: '' },
    });
  }
  const { stdout } = await run(['data', 'list', '--json'], { cwd });
  const ids = JSON.parse(stdout).map(({ dataset }: { dataset: string }) => dataset);
  for (const kind of ['1min', '1hour', 'trades', 'depth', 'quotes']) {
    expect(ids).toContain(`play.btc_usdt.${kind}`);
  }
}, 120_000);

it('docs/data.md names what may be recorded', () => {
  for (const kind of RECORDED_KINDS) expect(textOf(PAGE)).toContain(`| \`${kind}\` | `);
});

it('docs/data.md has every fault with its meaning', () => {
  for (const [fault, meaning] of Object.entries(FAULT_MEANINGS)) {
    expect(textOf(PAGE)).toContain(`| ${fault} | ${meaning} |`);
  }
});

/** Who publishes the formats that an import knows by name, as their recognisers call them. */
function publishers(): Set<string> {
  const names = new Set<string>();
  for (const file of globSync('src/history/formats/{exchanges,vendors}/*.ts')) {
    const text = readFileSync(file, 'utf8');
    const told = [...text.matchAll(/\bformat(?:: | = )(.*)/g)].flatMap(([, line]) => [
      ...line!.matchAll(/['`](?:\S+ as )?([a-z]*[A-Z][\w.]*)/g),
    ]);
    const answers = text.matchAll(/\bcandles\('([^']+)'/g);
    for (const [, name] of [...told, ...answers]) names.add(name!);
  }
  return names;
}

it('docs/data.md has a row for the formats of every publisher', () => {
  const [table = ''] = /^\| format \| holds \|\n(\|.*\n)+/m.exec(textOf(PAGE)) ?? [];
  const names = [...publishers()];
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !table.includes(name))).toEqual([]);
});

/** Every key of a document, of the groups in it too. */
function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

/** The keys that the page tells of each command, a command that refers to another's with those too. */
function toldKeys(): Map<string, readonly string[]> {
  const rows = [...textOf(PAGE).matchAll(/^\| `(data [a-z]+)` \| (.*`\w+`.*) \|$/gm)];
  const cells = new Map(rows.map(([, command, cell]) => [command!, cell!]));
  const full = (cell: string) => cell.replace('the keys of `data list`', cells.get('data list')!);
  return new Map(
    [...cells].map(([command, cell]) => {
      const told = full(cell).replace(/\([^)]*\)/g, '');
      return [command, [...told.matchAll(/`(\w+)`/g)].map(([, key]) => key!)] as const;
    }),
  );
}

it('docs/data.md tells the keys of what commands on files print for programs', async () => {
  const cwd = scratchFolder();
  const minutes = EXAMPLES.find((example) => fileOf(example) === 'my/BTCUSDT-1m.csv')!.text;
  writeFileSync(join(cwd, 'BTCUSDT-1m.csv'), minutes);
  const told = toldKeys();
  const commands = [
    'import BTCUSDT-1m.csv',
    'list',
    'check',
    'resample binance.btc_usdt.1min 3min',
    'export binance.btc_usdt.1min minutes.csv',
    'remove binance.btc_usdt.3min --yes',
  ];
  for (const command of commands) {
    const { stdout } = await run(['data', ...command.split(' '), '--json'], { cwd });
    const name = `data ${command.split(' ')[0]}`;
    // Those of a gap that was recorded; imported files have none.
    const ofGaps = name === 'data export' || name === 'data remove' ? [] : GAP_KEYS;
    const keys = new Set([...keysOf(JSON.parse(stdout)), ...ofGaps]);
    expect([...keys].sort(), name).toEqual([...new Set(told.get(name))].sort());
  }
}, 60_000);

const GAP_KEYS = ['from', 'to', 'reason', 'leftOut'];
