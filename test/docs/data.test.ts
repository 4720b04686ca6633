import { mkdirSync, writeFileSync } from 'node:fs';
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
