import { describe, expect, it } from 'vitest';
import { MINUTE, replayed, START_MS } from '../fixture.ts';

describe('recordOf a run that is ended in its warm-up', () => {
  it.each([
    ['as it begins', 2, 0],
    ['midway', 0, 2],
  ])('measures nothing of its period: %s', async (_, ahead, played) => {
    const { record } = await replayed({
      ...{ minutes: Array.from({ length: 9 }, () => ({ close: 100 })), script: {}, chunkRows: 2 },
      backtest: {
        from: new Date(START_MS + 6 * MINUTE).toISOString(),
        warmUpHours: (6 - ahead) / 60,
        balances: { usdt: '10000' },
      },
      onProgress: () => false,
    });
    const { period, stopped, coverage, notes } = record;
    const endMs = START_MS + 2 * MINUTE;
    expect(stopped).toEqual({ at: endMs, end: START_MS + 9 * MINUTE });
    expect(period).toEqual({ from: START_MS + 6 * MINUTE, to: START_MS + 6 * MINUTE });
    expect(notes).toEqual([
      'Interrupted at 2024-01-01 00:02 UTC, in the warm-up: nothing was traded.',
    ]);
    expect(coverage[0]).toMatchObject({ rows: played, to: endMs, coverage: played > 0 ? 1 : 0 });
  });
});
