import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Source: sqlite.org/fileformat2.html, "The Database Header". */
const MAGIC = 'SQLite format 3\0';
const PAGE_BYTES_AT = 16;
const HEADER_BYTES = 18;
/** SQLite's code for a file that is damaged. Source: sqlite.org/rescode.html. */
const CORRUPT = 11;

/**
 * Makes sure that a database does not end within a page: SQLite takes what is missing of the last one
 * for zeros. Beside a write-ahead log it may, for its last pages stand there.
 *
 * @throws {Error} as SQLite tells damage.
 */
export function refuseCutShort(place: string): void {
  const found = statSync(place, { throwIfNoEntry: false });
  const logBytes = statSync(`${place}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (!found?.isFile() || found.size < HEADER_BYTES || logBytes > 0) return;
  if (found.size % (pageBytesOf(place) ?? 1) === 0) return;
  throw Object.assign(new Error('its file ends within a page'), { errcode: CORRUPT });
}

/** Undefined where it is no database. */
function pageBytesOf(place: string): number | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(place, 'r');
  try {
    readSync(file, header, { position: 0 });
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, PAGE_BYTES_AT) !== MAGIC) return undefined;
  // The biggest size does not fit and is told as 1.
  const told = header.readUInt16BE(PAGE_BYTES_AT);
  return told === 1 ? 65_536 : told;
}
