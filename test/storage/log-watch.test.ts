import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { LogWatch } from '../../src/storage/log-watch.ts';
import { journalOf, scratchPath } from './fixture.ts';

const MB = 1024 * 1024;

function longEvent(time: number): TradingEvent {
  const reason = 'x'.repeat(8 * MB);
  return { kind: 'strategy', time, strategy: 'maker', status: 'failed', reason };
}

describe('FileJournal, whose log cannot be brought into its file,', () => {
  it('warns once while a program goes on reading, and of what to do', () => {
    const path = scratchPath();
    const warnings: string[] = [];
    const journal = journalOf({ path, onWarning: (text) => void warnings.push(text) });
    const write = (count: number): void => {
      for (let time = 0; time < count; time++) {
        journal.append(longEvent(time));
        journal.commit();
      }
    };
    // Without readers it is checkpointed: the log starts again at its beginning.
    write(10);
    expect(warnings).toEqual([]);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN; SELECT count(*) FROM runs');
    write(11);
    expect(warnings).toEqual([
      expect.stringMatching(
        /-wal\) has grown to \d+ MB and will grow on: a program goes on reading/,
      ),
    ]);
    reader.close();
    journal.close();
  });
});

describe('LogWatch.warning', () => {
  const watchOf = (answer: () => object) => {
    const iterate = () => [answer()] as never;
    const prepare = () => ({ run: () => {}, iterate });
    return new LogWatch({ execute: () => {}, prepare, close: () => {} }, 'live.journal');
  };

  it('names what the disk says', () => {
    const watch = watchOf(() => {
      throw new Error('disk I/O error');
    });
    expect(watch.warning(MB)).toBeUndefined();
    expect(watch.warning(65 * MB)).toContain('(disk I/O error); look at the disk');
    expect(watch.warning(999 * MB)).toBeUndefined();
  });

  it('is none where a log is long and all of it is in the database', () => {
    let answer = { log: 9, checkpointed: 9 };
    const watch = watchOf(() => answer);
    expect(watch.warning(65 * MB)).toBeUndefined();
    answer = { log: 9, checkpointed: 3 };
    expect(watch.warning(66 * MB)).toBeUndefined();
    expect(watch.warning(130 * MB)).toContain('has grown to 130 MB');
  });
});
