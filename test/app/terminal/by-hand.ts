import { expect } from 'vitest';
import { openRecordedRun, replayable } from '../../../src/app/replay/recorded-run.ts';

/** Expects that replays skip the second run of a journal, in which a person wrote. */
export function expectSkipped(path: string): void {
  const newest = openRecordedRun(path);
  expect(newest.record.id).toBe(1);
  newest.reader.close();
  const byHand = openRecordedRun(path, 2);
  expect(() => replayable(byHand)).toThrow('nothing ran: a person wrote into the journal');
  byHand.reader.close();
}
