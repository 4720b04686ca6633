import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { FAULT_MEANINGS } from '../../src/app/index.ts';
import { scratchFolder } from '../app/fixture.ts';
import { run } from '../cli/command.ts';
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

it('docs/data.md has every fault with its meaning', () => {
  for (const [fault, meaning] of Object.entries(FAULT_MEANINGS)) {
    expect(textOf(PAGE)).toContain(`| ${fault} | ${meaning} |`);
  }
});
