import { pipeline, type TransformOptions } from 'node:stream';
import { createGunzip, type ZlibOptions } from 'node:zlib';

/** The bytes of a file, in chunks: the opener that reads the disk is handed in from outside. */
export type ByteSource = AsyncIterable<Uint8Array>;

/** First bytes of a gzip member. Source: RFC 1952, 2.3.1. */
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** Bytes of an unpacked chunk: each chunk costs a turn of the event loop. */
const UNPACKED_CHUNK_BYTES = 262_144;

/** Bytes that are unpacked ahead, on another thread, while those before are read. */
const UNPACKED_AHEAD_BYTES = 4 * UNPACKED_CHUNK_BYTES;

/** The bytes, gunzipped if their first ones are those of a gzip. */
export async function* plainBytes(source: ByteSource): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const head = await readHead(iterator);
  const whole = joined(head, iterator);
  yield* isGzip(head) ? gunzipped(whole) : whole;
}

function isGzip(head: Uint8Array): boolean {
  return GZIP_MAGIC.every((byte, at) => head[at] === byte);
}

/** Reads until there are enough bytes to recognise a gzip; returns them as one chunk. */
async function readHead(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < GZIP_MAGIC.length) {
    const next = await iterator.next();
    if (next.done) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(chunks);
}

async function* joined(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* gunzipped(source: ByteSource): AsyncGenerator<Uint8Array> {
  const options: ZlibOptions & TransformOptions = {
    chunkSize: UNPACKED_CHUNK_BYTES,
    readableHighWaterMark: UNPACKED_AHEAD_BYTES,
  };
  const gunzip = createGunzip(options);
  // An error of the source is thrown where the stream is read.
  pipeline(source, gunzip, () => undefined);
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (thrown) {
    throw gzipTrouble(thrown);
  }
}

/** An error of a gzip in words for people; any other error as it was thrown. */
function gzipTrouble(thrown: unknown): unknown {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  if (!code.startsWith('Z_')) return thrown;
  const what = code === 'Z_BUF_ERROR' ? 'breaks off' : 'is a damaged gzip';
  return new TypeError(`it ${what}, a whole file is wanted`, { cause: thrown });
}
