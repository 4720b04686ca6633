import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadDeployment } from '../../src/app/load-deployment.ts';
import { runDeployment } from '../../src/app/run-deployment.ts';
import { summaryJson } from '../../src/cli/summary-json.ts';
import { riskConfigSchema } from '../../src/risk/index.ts';
import { ROOT, virtualRun } from '../app/fixture.ts';
import { examplesOf, textOf } from './pages.ts';

const PAGE = 'docs/operations.md';
const BIN = fileURLToPath(new URL('bin/tradewind.js', ROOT));

describe('docs/operations.md: what the end says', () => {
  it('is read in a pipe as it says', () => {
    const examples = examplesOf(PAGE).filter(({ marks }) => marks.includes('in-shell'));
    expect(examples).toHaveLength(1);
    const script = examples[0]!.text
      .replace('npx tradewind', `'${process.execPath}' '${BIN}'`)
      .replace('node -e', `'${process.execPath}' -e`);
    const { stdout, status } = spawnSync('sh', ['-c', script], {
      cwd: fileURLToPath(ROOT),
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^success \d+ -?\d+(\.\d+)?\n$/);
    expect(status).toBe(0);
  });

  it('has every key of the summary, and those in it', async () => {
    const { summary } = JSON.parse(summaryJson(await runDeployment(virtualRun())));
    const [, section = ''] = /### What the end says\n(.*?)\n## /s.exec(textOf(PAGE)) ?? [];
    const { counts, strategies, markets, orders, exchange, journal, trading } = summary;
    const groups = [summary, counts, strategies[0], markets[0], orders, exchange, journal, trading];
    const keys = groups.flatMap((group) => Object.keys(group));
    expect(keys.filter((key) => !section.includes(`\`${key}\``))).toEqual([]);
  });
});

describe('docs/operations.md: how large limits should be', () => {
  it('names the limits in force and those of the example', () => {
    const [, section = ''] = /### How large limits should be\n(.*?)\n## /s.exec(textOf(PAGE)) ?? [];
    const rows = [...section.matchAll(/^\| `(\w+)`[^|]* \| ([\w,]+) \| ([\w,]+) \|/gm)];
    const numberOf = (cell = '') => (cell === 'none' ? undefined : Number(cell.replace(',', '')));
    const told = rows.map(([, key, ...cells]) => [key, ...cells.map(numberOf)]);
    const inForce: Record<string, unknown> = riskConfigSchema.parse({});
    const example: Record<string, unknown> = loadDeployment('config/live.example.yaml').config.risk;
    expect(told).toHaveLength(6);
    expect(told).toEqual(rows.map(([, key]) => [key, inForce[key!], example[key!]]));
  });
});
