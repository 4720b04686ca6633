import { plainBytesMax } from '../unzip.ts';
import { FlatTable } from './flat-table.ts';

// Checks the lengths in an Arrow file against its bytes before the library trusts them: a wrong one
// makes it fill the memory or count for hours.

/** Fields of the tables. Source: apache/arrow, format/Schema.fbs and Message.fbs. */
const SCHEMA = { endianness: 4, fields: 6, metadata: 8 } as const;
const FIELD = { kind: 8, type: 10, children: 14, metadata: 16 } as const;
const MESSAGE = { header: 8, bodyBytes: 10 } as const;
const DICTIONARY = { data: 6 } as const;
const BATCH = { rows: 4, nodes: 6, buffers: 8, compression: 10, variadic: 12 } as const;

/** The kind of a union, the only one with a vector of its own. */
const UNION = 14;
const UNION_IDS = 6;

/** Most fields, nested ones included: no market data have more. Our choice. */
const FIELDS_MAX = 10_000;
/**
 * Most entries of a dictionary times its bytes: a damaged one may take so much memory. Our choice.
 */
const DICTIONARY_MAX = 4e9;
/** Stands for the length of a buffer that is not packed although others are. */
const NOT_PACKED = -1;

/** What is wrong with an Arrow file, for people. */
export class ArrowTrouble extends TypeError {}

/** Checks that a schema can be read. @throws {RangeError | ArrowTrouble} when it can't. */
export function checkSchema(schema: FlatTable): void {
  if (schema.byte(SCHEMA.endianness) !== 0) {
    throw new ArrowTrouble('its numbers begin with the highest byte, the lowest one is wanted');
  }
  schema.vector(SCHEMA.metadata, 4);
  let fields = 0;
  const check = (field: FlatTable): void => {
    fields += 1;
    if (fields > FIELDS_MAX) throw new RangeError(`there are more than ${FIELDS_MAX} fields`);
    field.vector(FIELD.metadata, 4);
    if (field.byte(FIELD.kind) === UNION) field.table(FIELD.type)?.vector(UNION_IDS, 4);
    for (const child of field.tables(FIELD.children)) check(child);
  };
  for (const field of schema.tables(SCHEMA.fields)) check(field);
}

/** A message: its metadata, without their length, and its body. */
export interface Message {
  readonly metadata: Uint8Array;
  readonly body: Uint8Array;
}

/** Checks that a batch of rows can be read. @throws {RangeError} when it can't. */
export function checkBatch(message: Message): void {
  checkBuffers(headerOf(message), message.body);
}

/** Checks that a dictionary can be read. @throws {RangeError | ArrowTrouble} when it can't. */
export function checkDictionary(message: Message): void {
  const batch = headerOf(message).table(DICTIONARY.data);
  if (batch === undefined) throw new RangeError('a dictionary has no values');
  const bytes = checkBuffers(batch, message.body);
  const texts = batch.long(BATCH.rows);
  if (texts * bytes <= DICTIONARY_MAX) return;
  throw new ArrowTrouble(`a column is a dictionary of ${texts} values, a plain column is wanted`);
}

function headerOf({ metadata, body }: Message): FlatTable {
  const message = FlatTable.in(metadata);
  const header = message.table(MESSAGE.header);
  if (header === undefined || message.long(MESSAGE.bodyBytes) !== body.length) {
    throw new RangeError('a message has another length than the footer says');
  }
  return header;
}

/** Checks where the buffers of a batch lie and what they hold; returns their bytes unpacked. */
function checkBuffers(batch: FlatTable, body: Uint8Array): number {
  const isPacked = batch.table(BATCH.compression) !== undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const buffers = batch.vector(BATCH.buffers, 16);
  let plainBytes = 0;
  for (let buffer = 0; buffer < buffers.length; buffer++) {
    const at = batch.longAt(buffers.at + 16 * buffer);
    const length = batch.longAt(buffers.at + 16 * buffer + 8);
    if (at < 0 || length < 0 || at + length > body.length) {
      throw new RangeError('a buffer leads out of its message');
    }
    const plain = isPacked && length > 0 ? Number(view.getBigInt64(at, true)) : NOT_PACKED;
    if (plain < NOT_PACKED) throw new RangeError(`a buffer holds ${plain} bytes`);
    plainBytes += plain === NOT_PACKED ? length : plain;
  }
  if (plainBytes > plainBytesMax(body.length)) {
    throw new RangeError(`${plainBytes} bytes are said to be packed in ${body.length}`);
  }
  checkCounts(batch, { plainBytes, buffers: buffers.length });
  return plainBytes;
}

/** Checks that there are no more rows than bits, and no more buffers of a view than buffers. */
function checkCounts(
  batch: FlatTable,
  { plainBytes, buffers }: { readonly plainBytes: number; readonly buffers: number },
): void {
  const hold = (count: number, max: number): void => {
    if (count < 0 || count > max) throw new RangeError(`there are ${count} of something`);
  };
  hold(batch.long(BATCH.rows), 8 * plainBytes);
  const nodes = batch.vector(BATCH.nodes, 16);
  for (let node = 0; node < nodes.length; node++) {
    hold(batch.longAt(nodes.at + 16 * node), 8 * plainBytes);
  }
  const variadic = batch.vector(BATCH.variadic, 8);
  for (let view = 0; view < variadic.length; view++) {
    hold(batch.longAt(variadic.at + 8 * view), buffers);
  }
}
