import { describe, expect, it } from 'vitest';
import { replayed } from '../fixture.ts';

const minutes = Array.from({ length: 8 }, (_, at) => ({ close: 100 + at }));

/** The notes of a run whose first three minutes are its warm-up. */
async function notesOf(script: Record<number, number>): Promise<readonly string[] | undefined> {
  const backtest = { from: '2024-01-01T00:03', warmUpHours: 0.05 };
  const { record } = await replayed({ minutes, script, backtest });
  return record.notes?.slice(0, record.decisive);
}

describe('EarlyWishes', () => {
  it('tells of a strategy all of whose wishes fell into the warm-up', async () => {
    const text = (wishes: string) =>
      `Strategy scripted made ${wishes} in the warm-up, where wishes are dropped.`;
    expect(await notesOf({ 0: 1 })).toEqual([text('its only wish')]);
    expect(await notesOf({ 0: 1, 1: 2 })).toEqual([text('all of its 2 wishes')]);
  });

  it('says nothing of one that wishes later too', async () => {
    expect(await notesOf({ 0: 1, 4: 2 })).toEqual([]);
  });
});
