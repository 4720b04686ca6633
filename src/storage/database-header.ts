import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** How a database begins, and where it says what. Source: sqlite.org/fileformat.html, 1.3. */
const MAGIC = 'SQLite format 3\0';
const PAGE_BYTES_AT = 16;
const SCHEMA_FORMAT_AT = 44;
const APPLICATION_ID_AT = 68;
const HEADER_BYTES = 72;
/** SQLite's code for a file that is damaged. Source: sqlite.org/rescode.html. */
const CORRUPT = 11;

/** What the first bytes of a database say of it. */
export interface DatabaseHeader {
  readonly pageBytes: number;
  /** Whether nothing came into it yet. */
  readonly isBlank: boolean;
  readonly applicationId: number;
}

/** Undefined where a file is no database. What a shorter one lacks counts as zeros. */
export function headerOf(path: string): DatabaseHeader | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, { position: 0 });
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  // The biggest size does not fit and is told as 1.
  const told = header.readUInt16BE(PAGE_BYTES_AT);
  return {
    pageBytes: told === 1 ? 65_536 : told,
    isBlank: header.readUInt32BE(SCHEMA_FORMAT_AT) === 0,
    applicationId: header.readUInt32BE(APPLICATION_ID_AT),
  };
}

/**
 * Makes sure that a database does not end within a page: SQLite takes what is missing of the last one
 * for zeros. Beside a write-ahead log it may, for its last pages stand there.
 *
 * @throws {Error} as SQLite tells damage.
 */
export function refuseCutShort(place: string): void {
  const found = statSync(place, { throwIfNoEntry: false });
  const logBytes = statSync(`${place}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (!found?.isFile() || logBytes > 0) return;
  const header = headerOf(place);
  if (header === undefined || found.size % header.pageBytes === 0) return;
  throw Object.assign(new Error('its file ends within a page'), { errcode: CORRUPT });
}
