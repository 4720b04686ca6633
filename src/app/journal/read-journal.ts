import { type Stats, statSync } from 'node:fs';
import { messageOf } from '../../kernel/index.ts';
import { barrierTo, JournalReader, type RunRecord } from '../../storage/index.ts';
import { didYouMeanPath } from '../config/suggest.ts';
import { AppError } from '../errors.ts';

/**
 * Opens the journal of a deployment for reading. `instead`: what a backtest has in its place.
 *
 * @throws {AppError} `journal` where there is none; `StorageError` where it cannot be read.
 */
export function readJournal(
  path: string,
  { instead }: { readonly instead: string },
): JournalReader {
  const refuse = (why: string): never => {
    throw new AppError('journal', `Cannot read ${path}: ${why}`);
  };
  const wanted = `a journal of live or paper is wanted (${instead})`;
  const found = foundAt(path, refuse);
  if (found === undefined) return refuse(`there is no such file${didYouMeanPath(path)}`);
  if (!found.isFile()) refuse(`it is ${found.isDirectory() ? 'a folder' : 'no file'}, ${wanted}`);
  if (path.endsWith('.jsonl')) refuse(`it holds the lines of a backtest, ${wanted}`);
  return new JournalReader(path);
}

/** What is at a path; undefined if nothing. Refuses a path whose folder is closed to this user. */
function foundAt(path: string, refuse: (why: string) => never): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    return refuse(barrierTo(path, 'read') ?? messageOf(thrown));
  }
}

/** The error for a journal that has no run of that number, or no run at all. */
export function noSuchRun(
  { path, runs }: { readonly path: string; readonly runs: readonly RunRecord[] },
  run?: number,
): AppError {
  const last = runs.at(-1)?.id;
  const has =
    last === undefined ? 'it has none' : last === 1 ? 'it has run 1' : `it has runs 1 to ${last}`;
  const what = run === undefined ? `a run of ${path}` : `run ${run} of ${path}`;
  return new AppError('journal', `Cannot read ${what}: ${has}`);
}
