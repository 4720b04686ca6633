import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { messageOf } from '../../kernel/index.ts';
import { diskTrouble } from '../disk-trouble.ts';
import { HistoryError } from '../errors.ts';
import { inferMarketId } from '../market-name.ts';
import type { Interruptible } from '../store/interruption.ts';

/** How many times its packed size a file may have; files of prices have 4 to 20 times. */
const RATIO_MAX = 200;
/** Below this size a file is no danger, however small it was packed. */
const HARMLESS_BYTES = 100_000_000;
/** What every workbook of Excel holds. Source: ECMA-376, part 2. */
const WORKBOOK = '[Content_Types].xml';
/** The library's errors in words for people; any other error means damage. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^End of central directory record signature not found|^unexpected EOF/,
    'it breaks off, a whole archive is wanted',
  ],
  [/^multi-disk zip files/, 'it is a part of an archive of several files, a whole one is wanted'],
  [
    /^unsupported compression method/,
    'the file in it is packed in a way that few know, an archive as ZIP makes it is wanted',
  ],
  [
    /^(invalid relative path|absolute path|invalid characters in fileName)/,
    'the file in it would lie outside of its folder, one within is wanted',
  ],
];
const DAMAGED = 'it is damaged, an archive that is whole is wanted';
/** How many names a message lists. */
const NAMES_SHOWN = 3;

/** A local file header, and the end of an empty archive. Source: APPNOTE.TXT, 4.3.7, 4.3.16. */
const SIGNATURES = ['PK\u0003\u0004', 'PK\u0005\u0006'];

/** Whether a file is a ZIP archive. */
export async function isZip(file: string): Promise<boolean> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return SIGNATURES.includes(buffer.toString('latin1', 0, bytesRead));
}

/** The most bytes that packed ones may hold: more are no market data, and would fill the disk. */
export function plainBytesMax(packedBytes: number): number {
  return Math.max(HARMLESS_BYTES, RATIO_MAX * packedBytes);
}

/** Where an archive is unpacked to. */
export interface Unpacking extends Interruptible {
  readonly folder: string;
}

/**
 * Unpacks the only file of rows in an archive into a folder, checked by its size and sum. Returns
 * its path.
 *
 * @throws {HistoryError} when the archive is broken or encrypted, holds no file or several, or one
 * that is so much bigger than its packed form that it is no market data.
 */
export async function unzip(file: string, { folder, signal }: Unpacking): Promise<string> {
  const name = basename(file);
  let archive: ZipFile | undefined;
  try {
    archive = await openPromise(file, { autoClose: false, lazyEntries: true });
    const entry = await onlyFile(archive);
    refuseUnfit(entry);
    // An entry's name may lead into other folders, ours too: only its last part is used.
    const own = basename(entry.fileName.replaceAll('\\', '/'));
    const named = inferMarketId(own) === undefined ? `${name.replace(/\.zip$/i, '')}-${own}` : own;
    const path = join(folder, named);
    const bytes = checked(await archive.openReadStreamPromise(entry), entry);
    await pipeline(bytes, createWriteStream(path), { signal });
    return path;
  } catch (thrown) {
    throw new HistoryError(`Cannot import ${name}: ${wordsOf(thrown)}`, { cause: thrown });
  } finally {
    archive?.close();
  }
}

/**
 * Why an archive cannot be unpacked: our own words, those for a disk, or for the library's error.
 */
function wordsOf(thrown: unknown): string {
  const message = messageOf(thrown);
  if (thrown instanceof TypeError) return message;
  const [, known] = WORDINGS.find(([pattern]) => pattern.test(message)) ?? [];
  return diskTrouble(thrown) ?? known ?? DAMAGED;
}

/** A file's bytes as they are unpacked. @throws {TypeError} at their end, when one was wrong. */
async function* checked(bytes: AsyncIterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of bytes) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum === entry.crc32) return;
  throw new TypeError(`${entry.fileName} in it is damaged, an archive that is whole is wanted`);
}

async function onlyFile(archive: ZipFile): Promise<Entry> {
  const files: Entry[] = [];
  for await (const entry of archive.eachEntry()) {
    if (isFile(entry.fileName)) files.push(entry);
    if (files.length > NAMES_SHOWN) break;
  }
  if (files.some(({ fileName }) => fileName === WORKBOOK)) {
    throw new TypeError('it is a workbook of Excel, its sheet saved as CSV is wanted');
  }
  const [first, ...others] = files.filter(({ fileName }) => !isReport(fileName, files));
  if (first === undefined) throw new TypeError('the archive is empty, one file in it is wanted');
  if (others.length === 0) return first;
  const names = files.slice(0, NAMES_SHOWN).map(({ fileName }) => fileName);
  const more = files.length > NAMES_SHOWN ? ', ...' : '';
  throw new TypeError(
    `the archive holds several files (${names.join(', ')}${more}), one is wanted: unzip it first`,
  );
}

/** Whether a file is a report of HistData: a text beside the rows with the same name. */
function isReport(fileName: string, files: readonly Entry[]): boolean {
  const rows = fileName.replace(/\.txt$/i, '.csv').toLowerCase();
  return files.some((file) => file.fileName !== fileName && file.fileName.toLowerCase() === rows);
}

/** Whether an entry is a file: not a folder, nor what macOS adds. */
function isFile(fileName: string): boolean {
  return !fileName.endsWith('/') && !/(^|\/)(__MACOSX\/|\.DS_Store$)/.test(fileName);
}

function refuseUnfit(entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) {
    throw new TypeError(`${fileName} in it is encrypted, a file without a password is wanted`);
  }
  if (uncompressedSize <= plainBytesMax(compressedSize)) return;
  const times = Math.round(uncompressedSize / compressedSize);
  throw new TypeError(
    `${fileName} in it is ${times} times as big as its packed form, market data are wanted: ` +
      'if it is some, unzip it first',
  );
}
