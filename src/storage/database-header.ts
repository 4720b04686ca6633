import { closeSync, openSync, readSync, statSync } from 'node:fs';

/**
 * The first bytes of a database, and offsets in its header. Source: sqlite.org/fileformat.html,
 * 1.3.
 */
const MAGIC = 'SQLite format 3\0';
const PAGE_BYTES_AT = 16;
const SCHEMA_FORMAT_AT = 44;
const APPLICATION_ID_AT = 68;
const HEADER_BYTES = 72;
/** SQLite's code for a file that is damaged. Source: sqlite.org/rescode.html. */
const CORRUPT = 11;

/** The fields of a database's header that are used here. */
export interface DatabaseHeader {
  readonly pageBytes: number;
  /** Whether nothing was ever written into the database. */
  readonly isBlank: boolean;
  readonly applicationId: number;
}

/**
 * Reads a file's header; undefined if it is no database. Missing bytes of a short file are zeros.
 */
export function headerOf(path: string): DatabaseHeader | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, { position: 0 });
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  // The largest page size does not fit into the field and is written as 1.
  const told = header.readUInt16BE(PAGE_BYTES_AT);
  return {
    pageBytes: told === 1 ? 65_536 : told,
    isBlank: header.readUInt32BE(SCHEMA_FORMAT_AT) === 0,
    applicationId: header.readUInt32BE(APPLICATION_ID_AT),
  };
}

/**
 * Refuses a database whose file ends within a page: SQLite would read the missing bytes as zeros.
 * With a write-ahead log beside it that is allowed, because the log has its last pages.
 *
 * @throws {Error} with SQLite's code for damage.
 */
export function refuseCutShort(place: string): void {
  const found = statSync(place, { throwIfNoEntry: false });
  const logBytes = statSync(`${place}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (!found?.isFile() || logBytes > 0) return;
  const header = headerOf(place);
  if (header === undefined || found.size % header.pageBytes === 0) return;
  throw Object.assign(new Error('its file ends within a page'), { errcode: CORRUPT });
}
