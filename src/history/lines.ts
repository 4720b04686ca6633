import type { ByteSource } from './bytes.ts';

/** One line of a file, without its end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of UTF-8 text that are not blank, in batches: all lines that end in one chunk come
 * together, so that a reader does not wait for each. A line is held whole, a file never is.
 * `isLoose`: accept bytes that are not UTF-8, as when lines are counted. Default: false.
 *
 * @throws {TypeError} while iterating, when the bytes are not UTF-8.
 */
export async function* linesOf(
  source: ByteSource,
  { isLoose = false }: { readonly isLoose?: boolean } = {},
): AsyncGenerator<readonly Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: !isLoose });
  const cutter = new LineCutter();
  for await (const chunk of source) {
    const lines = cutter.cut(decode(decoder, chunk));
    if (lines.length > 0) yield lines;
  }
  const last = cutter.cut(`${decode(decoder)}\n`);
  if (last.length > 0) yield last;
}

/** Decodes the next bytes; without any, ends the text. */
function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new TypeError('it is not UTF-8 text, text or gzip of text is wanted', { cause });
  }
}

/** Cuts text that comes in pieces at its line ends, `\n` or `\r\n`. */
class LineCutter {
  #rest = '';
  #number = 0;

  cut(text: string): Line[] {
    // Only the new piece is searched: a long line in many pieces stays linear.
    const end = text.lastIndexOf('\n');
    if (end === -1) {
      this.#rest += text;
      return [];
    }
    const whole = this.#rest + text.slice(0, end);
    this.#rest = text.slice(end + 1);
    const lines: Line[] = [];
    for (const line of whole.split('\n')) {
      this.#number++;
      const trimmed = line.trim();
      if (trimmed !== '') lines.push({ number: this.#number, text: trimmed });
    }
    return lines;
  }
}
