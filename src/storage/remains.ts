import { existsSync, statSync } from 'node:fs';
import { headerOf } from './database-header.ts';
import { hasCommit } from './write-ahead-log.ts';

/**
 * What is at a journal's path: a file with something in it or in its log, a blank file, only the
 * log, or nothing. SQLite starts a new database in a blank file, and also if there is only a log,
 * which it removes.
 */
export type Remains = 'journal' | 'blank' | 'log' | 'none';

/** What is at that path, which must be the real one, without links. */
export function remainsOf(path: string): Remains {
  const log = `${path}-wal`;
  const hasLog = existsSync(log) && hasCommit(log);
  if (!existsSync(path)) return hasLog ? 'log' : 'none';
  return !hasLog && isBlank(path) ? 'blank' : 'journal';
}

function isBlank(path: string): boolean {
  return headerOf(path)?.isBlank ?? statSync(path).size === 0;
}
