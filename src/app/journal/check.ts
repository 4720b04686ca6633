import type { RunRecord, Verification } from '../../storage/index.ts';
import { withJournal } from './books.ts';

/** Whether the events of a run are those that were written. */
export interface RunCheck extends Verification, Pick<RunRecord, 'isPruned'> {
  /** Its number, from 1. */
  readonly run: number;
  /** Milliseconds since the epoch. Undefined: this run and all up to the next are missing. */
  readonly began?: number;
}

/**
 * Holds the events of every run against its chain of hashes, the oldest run first.
 *
 * @throws {AppError} `journal` where there is none, or it has no run.
 */
export function checkJournal(path: string): readonly RunCheck[] {
  return withJournal({ path }, ({ reader, runs }) => {
    let next = 1;
    return runs.flatMap(({ id, started, isPruned }) => {
      // Nothing deletes a run, so a missing number is damage.
      const missing = next < id ? [missingRun(next)] : [];
      next = id + 1;
      return [...missing, { run: id, began: started, isPruned, ...reader.verify(id) }];
    });
  });
}

function missingRun(run: number): RunCheck {
  return { run, isPruned: false, intact: false, events: 0, brokenAt: 1 };
}
