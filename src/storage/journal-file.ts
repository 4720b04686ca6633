import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { headerOf } from './database-header.ts';
import { StorageError } from './errors.ts';
import { APPLICATION_ID, NO_JOURNAL } from './schema.ts';

/**
 * Looks whether a journal is or can be in that place, and lays nothing beside it.
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
  // Lock and log stand beside a name: of two each has its own. Source: sqlite.org/howtocorrupt.html.
  if (found.nlink > 1) {
    throw refuse(
      `it is one file under ${found.nlink} names (hard links), one name is wanted: a copy in its ` +
        'place (cp, then mv), or another path',
    );
  }
}

function isJournal(path: string): boolean {
  const header = headerOf(path);
  // What a killed run has written may stand in the log beside the file alone, the mark too.
  return header !== undefined && (header.isBlank || header.applicationId === APPLICATION_ID);
}
