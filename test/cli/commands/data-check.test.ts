import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../../app/fixture.ts';
import { line } from './fixture.ts';

const T = Date.parse('2024-01-05T21:00Z');
const HOUR_MS = 3_600_000;

it('tradewind data check notes one-sided quotes and silences, which are no faults', async () => {
  const root = scratchFolder();
  const file = join(root, 'eur_usd.csv');
  const rows = [
    [T, 1.1, 1, 1.2, 1],
    [T + 1_000, 1.1, 1, 0, 0],
    [T + 1_000 + HOUR_MS, 1.1, 1, 1.2, 1],
    [T + 2_000 + 3 * HOUR_MS, 0, 0, 1.2, 1],
  ];
  writeFileSync(file, ['time,bid,bidAmount,ask,askAmount', ...rows].join('\n'));
  await line(`data import ${file} --data ${root}`);
  const { code, stdout } = await line(`data check --strict --data ${root}`);
  expect([code, stdout]).toEqual([0, expect.stringContaining('no fault found')]);
  expect(stdout).toContain('one-sided (2): ');
  expect(stdout).toContain('silence (2): ');
  expect(stdout).toContain('2024-01-05T21:00:01.000Z  1 h\n');
  const { json } = await line(`data check --data ${root} --json`);
  expect(json()).toMatchObject([
    {
      faults: [],
      notes: [
        { fault: 'one-sided', count: 2, places: [{ detail: 'bid 1.1, ask 0' }, {}] },
        { fault: 'silence', count: 2, places: [{}, { detail: '2 h' }] },
      ],
    },
  ]);
  writeFileSync(
    file,
    ['time,bid,bidAmount,ask,askAmount', `${T},0,0,0,0`, `${T + 1},2,1,1,1`].join('\n'),
  );
  await line(`data import ${file} --data ${root} --source bad`);
  const faulty = await line(`data check bad.eur_usd.quotes --strict --data ${root}`);
  expect([faulty.code, faulty.stdout]).toEqual([8, expect.stringContaining('zero price (1)')]);
  expect(faulty.stdout).toContain('crossed (1)');
});
