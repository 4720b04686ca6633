import { expect, it } from 'vitest';
import { reportLines } from '../../../src/cli/commands/data-download.ts';
import type { Dataset } from '../../../src/history/index.ts';

const DAY = Date.UTC(2024, 0, 2);
const dataset = { rows: 2, firstTime: DAY, lastTime: DAY + 60_000, gaps: [] } as unknown as Dataset;
const report = { id: 'venue.btc_usdt.1min', dataset, rows: 2, stopped: false, untold: undefined };

it('reportLines says of which time that was asked for the venue told nothing', () => {
  const untold = { from: Date.UTC(2024, 0, 1), to: DAY };
  expect(reportLines(report)).toHaveLength(1);
  expect(reportLines({ ...report, untold })).toEqual([
    'venue.btc_usdt.1min: 2 new rows; 2 rows, 2024-01-02T00:00:00.000Z to 2024-01-02T00:01:00.000Z',
    '  nothing 2024-01-01T00:00:00.000Z to 2024-01-02T00:00:00.000Z: the venue has nothing of that time',
  ]);
});

it('reportLines says of what was stopped ahead of its first row that it goes on', () => {
  const none = { ...report, dataset: undefined, rows: 0 };
  expect(reportLines({ ...none, stopped: true })).toEqual([
    'venue.btc_usdt.1min: nothing so far; stopped, the same command goes on from here',
  ]);
  expect(reportLines(none)).toEqual(['venue.btc_usdt.1min: the venue has nothing of that time']);
});
