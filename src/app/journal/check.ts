import type { RunRecord, Verification } from '../../storage/index.ts';
import { withJournal } from './books.ts';

/** Whether the events of a run are those that were written. */
export interface RunCheck extends Verification, Pick<RunRecord, 'isPruned'> {
  /** Its number, from 1. */
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly began: number;
}

/**
 * Holds the events of every run against its chain of hashes, the oldest run first.
 *
 * @throws {AppError} `journal` where there is none, or it has no run.
 */
export function checkJournal(path: string): readonly RunCheck[] {
  return withJournal({ path }, ({ reader, runs }) =>
    runs.map(({ id, started, isPruned }) => {
      const verification = reader.legible(() => reader.verify(id));
      return { run: id, began: started, isPruned, ...verification };
    }),
  );
}
