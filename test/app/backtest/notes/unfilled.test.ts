import { describe, expect, it } from 'vitest';
import { replayed } from '../fixture.ts';

const MINUTES = [100, 100, 100, 100, 100, 100].map((close) => ({ close }));

/** What the reader is told of a run that wishes a position within 0.2 % of the price. */
async function notesOf(
  basisPoints: number,
  script: Record<number, number> = { 1: 2 },
): Promise<readonly string[] | undefined> {
  const fill = { model: 'candles', slippage: { basisPoints } };
  const { record } = await replayed({ minutes: MINUTES, script, backtest: { fill } });
  return record.notes;
}

describe('the notes of a run', () => {
  it('say that no order filled, and that slippage was more than they allowed', async () => {
    expect(await notesOf(30)).toEqual([
      expect.stringMatching(
        /^All \d orders ended unfilled: an order that takes pays fill\.slippage beyond the /,
      ),
    ]);
  });

  it('are none where orders filled', async () => {
    expect(await notesOf(10)).toEqual([]);
  });

  it('are none of orders where none left', async () => {
    expect(await notesOf(30, { 1: 0 })).toEqual([]);
  });
});
