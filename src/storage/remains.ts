import { existsSync, statSync } from 'node:fs';
import { headerOf } from './database-header.ts';
import { hasCommit } from './write-ahead-log.ts';

/**
 * What stands in the place of a journal: a file with something in it or beside it, one with nothing,
 * its log alone, or none of them. SQLite begins anew with a blank file, and beside a log without its
 * file, which it takes away.
 */
export type Remains = 'journal' | 'blank' | 'log' | 'none';

/** What stands in that place, of a file by its own name. */
export function remainsOf(path: string): Remains {
  const log = `${path}-wal`;
  const hasLog = existsSync(log) && hasCommit(log);
  if (!existsSync(path)) return hasLog ? 'log' : 'none';
  return !hasLog && isBlank(path) ? 'blank' : 'journal';
}

function isBlank(path: string): boolean {
  return headerOf(path)?.isBlank ?? statSync(path).size === 0;
}
