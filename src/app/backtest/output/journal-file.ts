import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { assert } from '../../../kernel/index.ts';
import { type LineSink, TextBytes } from '../../../storage/index.ts';
import { wordsOfDisk } from '../../disk.ts';
import { AppError } from '../../errors.ts';

/** Bytes that are written at once: enough for the cost of a call not to matter. */
const CHUNK_LENGTH = 2 ** 16;

/**
 * A journal of lines in a file, written chunk by chunk. Its first line is known only at the end, so
 * room is left for it.
 */
export class JournalFile implements LineSink {
  readonly #path: string;
  readonly #file: number;
  readonly #headRoom: number;
  readonly text = new TextBytes();
  #failure: AppError | undefined;
  #isOpen = true;

  /** `headRoom`: most bytes of the first line. @throws when the file can't be made. */
  constructor(path: string, { headRoom }: { readonly headRoom: number }) {
    this.#path = path;
    this.#headRoom = headRoom;
    this.#file = openSync(path, 'wx');
    this.text.addLine(' '.repeat(headRoom));
  }

  added(): void {
    if (this.text.length >= CHUNK_LENGTH) this.commit();
  }

  /** Writes what has gathered. @throws {AppError} `recording` if that fails, and ever after. */
  commit(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.text.length === 0) return;
    try {
      writeFileSync(this.#file, this.text.bytes);
    } catch (thrown) {
      const what = `Cannot write the journal ${this.#path}: ${wordsOfDisk(thrown)}`;
      this.#failure = new AppError('recording', what, { cause: thrown });
      throw this.#failure;
    }
    this.text.clear();
  }

  /** Writes what is left, then the first line, and closes the file. @throws as `commit`. */
  finish(head: string): void {
    const length = Buffer.byteLength(head);
    assert(length <= this.#headRoom, `the head of a journal takes ${length} bytes`);
    this.commit();
    writeSync(this.#file, head, 0);
    this.close();
  }

  /** Closes the file as it is. Does nothing the second time. */
  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}
