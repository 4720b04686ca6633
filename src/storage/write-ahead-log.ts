import { closeSync, openSync, readSync } from 'node:fs';

/** Source: sqlite.org/fileformat2.html, "The WAL File Format". */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit says in which byte order the checksums are computed. */
const MAGIC = 0x377f0682;
const VERSION = 3_007_000;
const SALTS_AT = 16;
const SUMS_AT = { header: 24, frame: 16 } as const;
const PAGE_BYTES = { min: 512, max: 65_536 } as const;

type Sums = readonly [number, number];

/**
 * Whether a write-ahead log of SQLite holds a valid transaction: it may be cut, or left from
 * before.
 */
export function hasCommit(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    return hasCommitIn((bytes, at) => readSync(file, bytes, { position: at }) === bytes.length);
  } finally {
    closeSync(file);
  }
}

/** Fills the buffer from an offset on; whether the file has enough bytes. */
type Read = (bytes: Buffer, at: number) => boolean;

function hasCommitIn(read: Read): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  if (!read(header, 0)) return false;
  const magic = header.readUInt32BE(0);
  const pageBytes = header.readUInt32BE(8);
  const isLog = (magic & ~1) === MAGIC && header.readUInt32BE(4) === VERSION;
  if (!isLog || pageBytes < PAGE_BYTES.min || pageBytes > PAGE_BYTES.max) return false;
  const isBig = (magic & 1) === 1;
  let sums = summed(header.subarray(0, SUMS_AT.header), { sums: [0, 0], isBig });
  if (!bears(header, SUMS_AT.header, sums)) return false;
  const salts = header.subarray(SALTS_AT, SUMS_AT.header);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
  for (let at = HEADER_BYTES; read(frame, at); at += frame.length) {
    if (!frame.subarray(8, SUMS_AT.frame).equals(salts)) return false;
    sums = summed(frame.subarray(0, 8), { sums, isBig });
    sums = summed(frame.subarray(FRAME_HEADER_BYTES), { sums, isBig });
    if (!bears(frame, SUMS_AT.frame, sums)) return false;
    // Only a transaction's last frame has the number of pages of the database after it.
    if (frame.readUInt32BE(4) > 0) return true;
  }
  return false;
}

function summed(
  bytes: Buffer,
  { sums, isBig }: { readonly sums: Sums; readonly isBig: boolean },
): Sums {
  let [first, second] = sums;
  for (let at = 0; at < bytes.length; at += 8) {
    const one = isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const other = isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    first = (first + one + second) >>> 0;
    second = (second + other + first) >>> 0;
  }
  return [first, second];
}

function bears(bytes: Buffer, at: number, [first, second]: Sums): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}
