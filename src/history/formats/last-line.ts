import { open } from 'node:fs/promises';

/** Bytes read from the end: a row of even the widest tables. */
const END_BYTES = 65_536;

/**
 * The last line of a text if it has no line end although others have: the text may have been cut in
 * it. Undefined if only blanks follow the last line end, or if the text is a single line.
 */
export async function unendedLine(file: string): Promise<string | undefined> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const length = Math.min(size, END_BYTES);
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  const text = buffer.toString('utf8');
  const line = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
  return line.trim() === '' || line.length === text.length ? undefined : line;
}
