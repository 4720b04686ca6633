import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { headerOf } from './database-header.ts';
import { StorageError } from './errors.ts';
import { APPLICATION_ID, NO_JOURNAL } from './schema.ts';

/**
 * Checks that a journal is at a path or can be made there, without creating any file.
 *
 * @throws {StorageError} when something else is there.
 */
export function checkJournalFile(path: string): void {
  const refuse = (what: string) => new StorageError(`Cannot open the journal ${path}: ${what}`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    const folder = dirname(path);
    if (existsSync(folder)) return;
    throw refuse(`there is no folder ${folder}, one is wanted`);
  }
  if (!found.isFile()) {
    throw refuse(`it is ${found.isDirectory() ? 'a folder' : 'no file'}, a file is wanted`);
  }
  if (found.size > 0 && !isJournal(path)) throw refuse(NO_JOURNAL);
  // Each name would have a lock and a log of its own. Source: sqlite.org/howtocorrupt.html.
  if (found.nlink > 1) {
    throw refuse(
      `it is one file under ${found.nlink} names (hard links), one name is wanted: a copy in its ` +
        'place (cp, then mv), or another path',
    );
  }
}

function isJournal(path: string): boolean {
  const header = headerOf(path);
  // All that a killed run wrote, the mark included, may still be in the write-ahead log only.
  return header !== undefined && (header.isBlank || header.applicationId === APPLICATION_ID);
}
