import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageError } from './errors.ts';
import { APPLICATION_ID, NO_JOURNAL } from './schema.ts';

/** How a database begins, and where its header says what. Source: sqlite.org/fileformat.html, 1.3. */
const MAGIC = Buffer.from('SQLite format 3\0');
const SCHEMA_FORMAT_AT = 44;
const APPLICATION_ID_AT = 68;
const HEADER_LENGTH = 72;

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
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return false;
  // What a killed run has written may stand in the log beside the file alone, the mark too.
  const isEmpty = header.readUInt32BE(SCHEMA_FORMAT_AT) === 0;
  return isEmpty || header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID;
}

/** Whether there is nothing in a file, or the beginning of a database into which nothing came. */
export function isBlank(path: string): boolean {
  const header = headerOf(path);
  const isBegun = header.subarray(0, MAGIC.length).equals(MAGIC);
  return isBegun ? header.readUInt32BE(SCHEMA_FORMAT_AT) === 0 : statSync(path).size === 0;
}

/** The first bytes, zeros where the file is shorter. */
function headerOf(path: string): Buffer {
  const header = Buffer.alloc(HEADER_LENGTH);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, HEADER_LENGTH, 0);
  } finally {
    closeSync(file);
  }
  return header;
}
