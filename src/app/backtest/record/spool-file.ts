import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { assert } from '../../../kernel/index.ts';
import { wordsOfDisk } from '../../disk.ts';
import { AppError } from '../../errors.ts';

/** A file of a run that is gone when it is closed: bytes are put behind one another and read back. */
export class SpoolFile {
  readonly #path: string;
  readonly #file: number;
  #end = 0;
  #failure: AppError | undefined;
  #isClosed = false;

  /** @throws when there is such a file, or none can be made. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'wx+');
  }

  /** Where it cannot be written, `read` says so, then and ever after. */
  write(bytes: Uint8Array): void {
    if (this.#failure !== undefined) return;
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done);
      }
    } catch (thrown) {
      const what = `Cannot keep the orders, fills and samples of the run: ${wordsOfDisk(thrown)}`;
      this.#failure = new AppError('recording', what, { cause: thrown });
    }
    this.#end += bytes.length;
  }

  /** Fills all of `into`. @throws {AppError} `recording` when something could not be written. */
  read(into: Uint8Array, at: number): void {
    if (this.#failure !== undefined) throw this.#failure;
    const read = readSync(this.#file, into, 0, into.length, at);
    assert(read === into.length, `${into.length} bytes were written, ${read} are there`);
  }

  /** Removes the file: nothing can be read any more. Does nothing when that was done. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}
