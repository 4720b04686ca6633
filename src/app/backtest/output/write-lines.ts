import { closeSync, openSync, writeFileSync } from 'node:fs';

/** Characters that are written at once: enough for the cost of a call not to matter. */
const CHUNK_LENGTH = 2 ** 16;

/** Writes texts one after the other to a file, without holding all of them. @throws as fs does. */
export function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, 'w');
  try {
    let text = '';
    for (const line of lines) {
      text += line;
      if (text.length < CHUNK_LENGTH) continue;
      writeFileSync(file, text);
      text = '';
    }
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
