import { describe, expect, it } from 'vitest';
import { replayed } from '../fixture.ts';

const WAITING = new URL('../waiting.ts', import.meta.url).pathname;
const minutes = Array.from({ length: 8 }, (_, at) => ({ close: 100 + at }));

describe('StrayWishes', () => {
  it('tells of a strategy that wishes on a promise, how often it did', async () => {
    const settings = { strategies: [{ use: WAITING }] };
    const { record, events } = await replayed({ minutes, script: {}, chunkRows: 2, settings });
    const wishes = events.filter(({ kind }) => kind === 'intent').length;
    expect(wishes).toBeGreaterThan(1);
    expect(record.notes?.slice(0, record.decisive)).toEqual([
      `Strategy waiting wished ${wishes} times outside of its events, as on a promise or a timer of ` +
        "the machine's: when that comes to pass hangs on the machine, and the next run may differ.",
    ]);
  });

  it('says nothing of one that wishes at its events, though rows come in chunks', async () => {
    const { record } = await replayed({ minutes, script: { 0: 1, 3: 2, 7: 0 }, chunkRows: 2 });
    expect(record.notes?.slice(0, record.decisive)).toEqual([]);
  });
});
