import { describe, expect, it } from 'vitest';
import { silentNotes } from '../../../../src/app/backtest/notes/silent-strategies.ts';
import { replayed } from '../fixture.ts';

const silent = { name: 'scalper', status: 'started', reason: '', wishes: 0 } as const;

describe('silentNotes', () => {
  it.each([
    ['tells of a strategy that wished nothing', {}, 1],
    ['says nothing of one that wished, though nothing came of it', { 0: 0 }, 0],
  ])('%s', async (_, script, notes) => {
    const { record } = await replayed({ minutes: [{ close: 100 }, { close: 101 }], script });
    const told = [expect.stringMatching(/^Strategy scripted made no wish: it saw .*candles\.$/)];
    expect(record.notes?.slice(0, record.decisive)).toEqual(told.slice(0, notes));
  });

  it('says nothing of a run that was interrupted', async () => {
    const minutes = Array.from({ length: 9 }, () => ({ close: 100 }));
    const options = { minutes, script: {}, chunkRows: 2, onProgress: () => false };
    const { record } = await replayed(options);
    expect(record.stopped).toBeDefined();
    expect(record.notes).toEqual([expect.stringMatching(/^Interrupted at /)]);
  });

  it.each([
    [{ books: 1, candles: 0 }, '1 book'],
    [{ books: 2, candles: 12_000 }, '2 books and 12000 candles'],
    [{ books: 0, candles: 0 }, 'nothing'],
  ])('names what there was of it: %j', (seen, told) => {
    const notes = silentNotes([{ ...silent, ...seen }], new Set());
    expect(notes).toEqual([`Strategy scalper made no wish: it saw ${told}.`]);
  });

  it.each([
    ['has wished', { wishes: 1 }],
    ['has failed', { status: 'failed' as const }],
    ['has ended', { status: 'ended' as const }],
  ])('says nothing of one that %s', (_, change) => {
    const strategy = { ...silent, books: 1, candles: 1, ...change };
    expect(silentNotes([strategy], new Set())).toEqual([]);
  });

  it('says nothing of one whose wishes fell into the warm-up: that is told', () => {
    expect(silentNotes([{ ...silent, books: 1, candles: 1 }], new Set(['scalper']))).toEqual([]);
  });
});
