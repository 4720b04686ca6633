import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { plainBytes } from '../bytes.ts';
import { plainBytesMax, type Unpacking } from './unzip.ts';

/** Byte order marks, and the encodings that they tell. Source: Unicode Standard, 23.8. */
const MARKS = [
  { encoding: 'utf-16le', mark: '\xff\xfe' },
  { encoding: 'utf-16be', mark: '\xfe\xff' },
  { encoding: 'utf-8', mark: '\xef\xbb\xbf' },
] as const;
type Encoding = (typeof MARKS)[number]['encoding'];

/** The encoding that a byte order mark tells; undefined without one. */
export function markedEncoding(head: Uint8Array): Encoding | undefined {
  const first = Buffer.from(head).toString('latin1', 0, 3);
  return MARKS.find(({ mark }) => first.startsWith(mark))?.encoding;
}

/** A text's encoding, and the folder that it is rewritten to. */
export interface Rewriting extends Unpacking {
  /** Default: as UTF-8 without a byte order mark. */
  readonly encoding?: Encoding | undefined;
}

/**
 * Writes a text into a folder, unpacked and as UTF-8 without a byte order mark. Returns its path;
 * its name stays.
 *
 * @throws {TypeError} when the text breaks off, is damaged, or is so much bigger than its packed
 * form that it is no market data.
 */
export async function rewriteText(
  file: string,
  { encoding, folder, signal }: Rewriting,
): Promise<string> {
  const path = join(folder, basename(file));
  const { size } = await stat(file);
  const bytes = limited(plainBytes(createReadStream(file)), plainBytesMax(size));
  const text = encoding === undefined ? bytes : decoded(bytes, encoding);
  await pipeline(text, createWriteStream(path), { signal });
  return path;
}

async function* limited(bytes: AsyncIterable<Uint8Array>, bytesMax: number) {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > bytesMax) {
      const what = `it holds more than ${bytesMax} bytes, market data are wanted`;
      throw new TypeError(`${what}: if it is some, unpack it first`);
    }
    yield chunk;
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: Encoding) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of bytes) yield decode(decoder, chunk);
  yield decode(decoder);
}

/** Decodes the next bytes; without any, ends the text. */
function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (cause) {
    const what = `it is no ${decoder.encoding.toUpperCase()} though it begins as such`;
    throw new TypeError(`${what}, a whole text is wanted`, { cause });
  }
}
