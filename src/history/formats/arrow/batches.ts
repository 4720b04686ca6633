import { type FileHandle, open } from 'node:fs/promises';
import { type Table, tableFromIPC } from '@uwdata/flechette';
import type { Interruptible } from '../../store/interruption.ts';
import { useCodecs } from './codecs.ts';
import { FlatTable, type FlatVector } from './flat-table.ts';
import { ArrowTrouble, checkBatch, checkDictionary, checkSchema } from './messages.ts';

/** The first eight bytes of a file; it ends with the first six of them. */
const MAGIC = Buffer.from('ARROW1\0\0');
/** The end of a file: the length of the footer, and the magic. */
const TAIL_BYTES = 10;
/** Bodies begin at a multiple of so many bytes. */
const ALIGNED = 8;
/** Systems read less than 2^31 bytes at once. */
const READ_MAX = 2 ** 30;

/** Fields of a footer, and the bytes of a block in it. Source: apache/arrow, format/File.fbs. */
const FOOTER = { schema: 6, dictionaries: 8, batches: 10 } as const;
const BLOCK_BYTES = 24;

/** Where a message lies in a file: the length of its metadata, the metadata, and the body. */
interface Block {
  readonly at: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

/** What a file says of its messages. */
interface Footer {
  readonly bytes: Buffer;
  /** Where the footer lists the blocks of dictionaries and batches. */
  readonly places: readonly [dictionaries: FlatVector, batches: FlatVector];
  readonly dictionaries: readonly Block[];
  readonly batches: readonly Block[];
}

/** Options of the library that keep values from being rounded. */
const EXACT = { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true };

/**
 * The rows of an Arrow file, a batch at a time: memory holds one batch and the dictionaries. The
 * library reads whole files only, so each batch is made one, with the dictionaries and the footer.
 *
 * @throws {TypeError} when the file breaks off or is damaged, as far as that can be seen: few
 * writers add checksums.
 */
export async function* arrowBatches(
  file: string,
  { signal }: Interruptible,
): AsyncGenerator<Table, void, void> {
  useCodecs();
  await using handle = await open(file, 'r');
  const footer = await orDamaged(() => readFooter(handle));
  const dictionaries = await orDamaged(() => readDictionaries(handle, footer));
  for (const batch of footer.batches) {
    signal?.throwIfAborted();
    const bytes = await orDamaged(() => read(handle, { block: batch, check: checkBatch }));
    const whole = { footer, dictionaries, batch: { ...batch, bytes } };
    yield await orDamaged(async () => tableFromIPC(fileOf(whole), EXACT));
  }
}

/**
 * Runs work on bytes that may be damaged. @throws {ArrowTrouble} for any error but the system's.
 */
export async function orDamaged<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ArrowTrouble || (thrown as NodeJS.ErrnoException).syscall) throw thrown;
    throw new ArrowTrouble('it is damaged, a whole file is wanted', { cause: thrown });
  }
}

async function readFooter(handle: FileHandle): Promise<Footer> {
  const { size } = await handle.stat();
  const tailAt = size - TAIL_BYTES;
  const tail = tailAt < MAGIC.length ? MAGIC : await readAt(handle, tailAt, TAIL_BYTES);
  if (tail.toString('latin1', 4) !== MAGIC.toString('latin1', 0, 6)) {
    throw new ArrowTrouble('it breaks off, a whole file is wanted');
  }
  const length = tail.readInt32LE();
  if (length <= 0 || length > tailAt - MAGIC.length) throw new RangeError('the footer is too long');
  const bytes = await readAt(handle, tailAt - length, length);
  const table = FlatTable.in(bytes);
  const schema = table.table(FOOTER.schema);
  if (schema === undefined) throw new RangeError('there is no schema');
  checkSchema(schema);
  const blocks = ({ at, length }: FlatVector): Block[] =>
    Array.from({ length }, (_, block) => blockAt(table, at + BLOCK_BYTES * block));
  const dictionaries = table.vector(FOOTER.dictionaries, BLOCK_BYTES);
  const batches = table.vector(FOOTER.batches, BLOCK_BYTES);
  const places = [dictionaries, batches] as const;
  return { bytes, places, dictionaries: blocks(dictionaries), batches: blocks(batches) };
}

function blockAt(footer: FlatTable, at: number): Block {
  const metadataBytes = footer.intAt(at + 8);
  return { at: footer.longAt(at), metadataBytes, bodyBytes: footer.longAt(at + 16) };
}

/** The bytes of a message, and where they lay. */
interface Placed extends Block {
  readonly bytes: Buffer;
}

async function readDictionaries(handle: FileHandle, { dictionaries }: Footer): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const block of dictionaries) {
    placed.push({ ...block, bytes: await read(handle, { block, check: checkDictionary }) });
  }
  return placed;
}

/** A message to read, and how to check it. */
interface Wanted {
  readonly block: Block;
  readonly check: typeof checkBatch;
}

async function read(handle: FileHandle, { block, check }: Wanted): Promise<Buffer> {
  const { at, metadataBytes, bodyBytes } = block;
  const { size } = await handle.stat();
  if (at < MAGIC.length || metadataBytes < 8 || bodyBytes < 0)
    throw new RangeError('a block is none');
  if (at + metadataBytes + bodyBytes > size) throw new RangeError('a block leads out of the file');
  const bytes = await readAt(handle, at, metadataBytes + bodyBytes);
  // Old files have no marker (-1) before the length.
  const prefix = bytes.readInt32LE() === -1 ? 8 : 4;
  const metadata = bytes.subarray(prefix, metadataBytes);
  if (bytes.readInt32LE(prefix - 4) !== metadata.length)
    throw new RangeError('metadata are longer');
  check({ metadata, body: bytes.subarray(metadataBytes) });
  return bytes;
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const most = Math.min(length - read, READ_MAX);
    const { bytesRead } = await handle.read(bytes, read, most, at + read);
    if (bytesRead === 0) throw new ArrowTrouble('it breaks off, a whole file is wanted');
    read += bytesRead;
  }
  return bytes;
}

/** One batch, and what it takes to read it. */
interface Batch {
  readonly footer: Footer;
  readonly dictionaries: readonly Placed[];
  readonly batch: Placed;
}

/** A file of one batch: the messages, and the footer with their new places. */
function fileOf({ footer, dictionaries, batch }: Batch): Uint8Array {
  const tail = Buffer.from(footer.bytes);
  const [dictionaryPlaces, batchPlaces] = footer.places;
  const parts: Buffer[] = [MAGIC];
  let end = MAGIC.length;
  const add = ({ bytes, metadataBytes }: Placed, place: number): void => {
    const gap = (ALIGNED - ((end + metadataBytes) % ALIGNED)) % ALIGNED;
    parts.push(Buffer.alloc(gap), bytes);
    tail.writeBigInt64LE(BigInt(end + gap), place);
    end += gap + bytes.length;
  };
  for (const [at, dictionary] of dictionaries.entries()) {
    add(dictionary, dictionaryPlaces.at + BLOCK_BYTES * at);
  }
  add(batch, batchPlaces.at);
  tail.writeInt32LE(1, batchPlaces.at - 4);
  const length = Buffer.alloc(4);
  length.writeInt32LE(tail.length);
  const whole = [...parts, tail, length, MAGIC.subarray(0, 6)];
  const bytes = Buffer.alloc(whole.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of whole) at += part.copy(bytes, at);
  return bytes;
}
