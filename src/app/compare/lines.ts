import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const CHUNK_BYTES = 65_536;

/** The lines of a text file without empty ones, read lazily. */
export function* linesOf(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  const decoder = new StringDecoder('utf8');
  const bytes = Buffer.alloc(CHUNK_BYTES);
  let rest = '';
  try {
    for (;;) {
      const length = readSync(descriptor, bytes);
      const lines = (
        rest + (length === 0 ? decoder.end() : decoder.write(bytes.subarray(0, length)))
      ).split('\n');
      rest = length === 0 ? '' : lines.pop()!;
      for (const line of lines) if (line !== '') yield line;
      if (length === 0) return;
    }
  } finally {
    closeSync(descriptor);
  }
}
