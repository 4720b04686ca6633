import { open } from 'node:fs/promises';

/** How much of its end is looked at: a row of the widest tables. */
const END_BYTES = 65_536;

/**
 * The last line of a text that has no line end though others have: the text may be cut in it.
 * Undefined where it has one, where the text is one line, and where nothing is behind the last end.
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
