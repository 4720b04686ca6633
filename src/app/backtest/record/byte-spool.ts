import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { assert } from '../../../kernel/index.ts';
import { wordsOfDisk } from '../../disk.ts';
import { AppError } from '../../errors.ts';

/**
 * Blocks of bytes, written one after the other and read back in any order: in a file if one is
 * given, else in memory. Closing removes the file.
 */
export class ByteSpool {
  readonly #path: string;
  /** Undefined: the blocks are in memory. */
  readonly #file: number | undefined;
  readonly #inMemory: Uint8Array[] = [];
  /** Where each block ends, in bytes from the beginning of the first. */
  readonly #ends: number[] = [];
  #failure: AppError | undefined;
  #isClosed = false;

  /** `path`: a new file for the blocks. Default: memory. @throws when the file can't be made. */
  constructor(path?: string) {
    this.#path = path ?? '';
    this.#file = path === undefined ? undefined : openSync(path, 'wx+');
  }

  /** How many blocks were written. */
  get length(): number {
    return this.#ends.length;
  }

  /** The length of a block in bytes. Blocks are numbered from 0. */
  sizeOf(number: number): number {
    const end = this.#ends[number];
    assert(end !== undefined, `there are ${this.length} blocks, none has the number ${number}`);
    return end - this.#endOf(number - 1);
  }

  /** Writes a copy. If that fails, every `read` from then on throws. */
  write(bytes: Uint8Array): void {
    const at = this.#endOf(this.length - 1);
    this.#ends.push(at + bytes.length);
    if (this.#file === undefined) this.#inMemory.push(new Uint8Array(bytes));
    else if (this.#failure === undefined) this.#writeTo(this.#file, { bytes, at });
  }

  /** Fills `into` with a block of that size. @throws {AppError} `recording` after a failed write. */
  read(number: number, into: Uint8Array): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#file === undefined) {
      into.set(this.#inMemory[number]!);
      return;
    }
    const read = readSync(this.#file, into, 0, into.length, this.#endOf(number - 1));
    assert(read === into.length, `${into.length} bytes were written, ${read} are there`);
  }

  /** Removes the file, after which nothing can be read. Does nothing the second time. */
  close(): void {
    if (this.#file === undefined || this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }

  #endOf(number: number): number {
    return this.#ends[number] ?? 0;
  }

  #writeTo(file: number, { bytes, at }: { readonly bytes: Uint8Array; readonly at: number }): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, at + done);
      }
    } catch (thrown) {
      const what = `Cannot keep the orders, fills and samples of the run: ${wordsOfDisk(thrown)}`;
      this.#failure = new AppError('recording', what, { cause: thrown });
    }
  }
}
