import { renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { remainsOf } from '../../src/storage/index.ts';
import { journalOf, killedRun, scratchPath } from './fixture.ts';

describe('remainsOf', () => {
  it('tells a journal, written out or in its log, from a place where none is', () => {
    const path = scratchPath();
    expect(remainsOf(path)).toBe('none');
    journalOf({ path }).close();
    expect([remainsOf(path), remainsOf(killedRun())]).toEqual(['journal', 'journal']);
  });

  it('calls blank what has nothing in it, nor in a log that counts', () => {
    const killed = killedRun();
    writeFileSync(`${killed}-wal`, 'of old');
    expect(statSync(killed).size).toBeGreaterThan(0);
    expect(remainsOf(killed)).toBe('blank');
    truncateSync(killed, 0);
    expect(remainsOf(killed)).toBe('blank');
  });

  it('takes an empty file with its log for a journal, and no other file for a blank one', () => {
    const killed = killedRun();
    truncateSync(killed, 0);
    expect(remainsOf(killed)).toBe('journal');
    const other = scratchPath();
    writeFileSync(other, 'text');
    expect(remainsOf(other)).toBe('journal');
  });

  it('finds a log whose file is gone', () => {
    const killed = killedRun();
    renameSync(killed, `${killed}.moved`);
    expect(remainsOf(killed)).toBe('log');
    rmSync(`${killed}-wal`);
    expect(remainsOf(killed)).toBe('none');
  });
});
