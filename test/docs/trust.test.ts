import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ROOT, scratchFolder } from '../app/fixture.ts';
import { run } from '../cli/command.ts';
import { examplesOf } from './pages.ts';

const EXAMPLES = examplesOf('docs/trust.md').filter(({ marks }) => marks.includes('with-trust'));

/** A folder with the configurations of the project, and changed copies that the page names. */
function workspace(): string {
  const folder = scratchFolder();
  symlinkSync(fileURLToPath(new URL('config', ROOT)), join(folder, 'config'));
  mkdirSync(join(folder, 'my'));
  const changed = (from: string, [what, by]: [RegExp, string]): string =>
    readFileSync(new URL(`config/${from}`, ROOT), 'utf8').replace(what, by);
  writeFileSync(
    join(folder, 'my/wider.yaml'),
    changed('demo.yaml', [/spread: 0.0005/, 'spread: 0.0006']),
  );
  writeFileSync(join(folder, 'my/slower.yaml'), changed('backtest.yaml', [/fast: 12/, 'fast: 14']));
  return folder;
}

it('the commands of docs/trust.md run, one after the other, and end as the page says', async () => {
  const cwd = workspace();
  const outputs: string[] = [];
  expect(EXAMPLES.length).toBeGreaterThan(4);
  for (const { text, marks } of EXAMPLES) {
    for (const line of text.trim().split('\n')) {
      const args = line
        .replace(/^npx tradewind /, '')
        .replace('--for 30s', '--for 8s')
        .split(' ');
      const { code, stdout, stderr } = await run(args, { cwd });
      const expected = marks.includes('ends-12') ? 12 : 0;
      expect({ line, code, stderr }).toEqual({ line, code: expected, stderr: '' });
      outputs.push(stdout);
    }
  }
  const [, replayed, changed, lookahead, warmUp, , , compared] = outputs;
  expect(replayed).toContain('every decision came out as recorded');
  expect(changed).toContain('DIFFER from the recorded ones');
  expect(changed).toMatch(/1\. changed #\d+[\s\S]*given +#\d+[\s\S]*recorded +quotes/);
  expect(lookahead).toContain('no decision depends on data that were still to come');
  expect(warmUp).toContain('the configured warm-up is too short');
  expect(compared).toMatch(/strategies\.ema-cross\.params\.fast +12 +14/);
  expect(compared).toMatch(/B - A +[+-]/);
}, 180_000);
