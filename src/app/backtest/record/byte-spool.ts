import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { assert } from '../../../kernel/index.ts';
import { wordsOfDisk } from '../../disk.ts';
import { AppError } from '../../errors.ts';

/**
 * Blocks of bytes, put away one after the other and read back at will, in a file if one is given. It
 * is gone when it is closed.
 */
export class ByteSpool {
  readonly #path: string;
  /** Undefined: they are in memory. */
  readonly #file: number | undefined;
  readonly #inMemory: Uint8Array[] = [];
  /** Where each block ends, bytes from the beginning of all. */
  readonly #ends: number[] = [];
  #failure: AppError | undefined;
  #isClosed = false;

  /** `path`: a new file for them. Default: memory. @throws when it can't be made. */
  constructor(path?: string) {
    this.#path = path ?? '';
    this.#file = path === undefined ? undefined : openSync(path, 'wx+');
  }

  /** How many blocks were put away. */
  get length(): number {
    return this.#ends.length;
  }

  /** The bytes of a block, counted from 0. */
  sizeOf(number: number): number {
    const end = this.#ends[number];
    assert(end !== undefined, `there are ${this.length} blocks, none has the number ${number}`);
    return end - this.#endOf(number - 1);
  }

  /** Takes a copy. Where it cannot be written, `read` says so, then and ever after. */
  write(bytes: Uint8Array): void {
    const at = this.#endOf(this.length - 1);
    this.#ends.push(at + bytes.length);
    if (this.#file === undefined) this.#inMemory.push(new Uint8Array(bytes));
    else if (this.#failure === undefined) this.#writeTo(this.#file, { bytes, at });
  }

  /** Fills `into` with a block of that size. @throws {AppError} `recording` where one was not written. */
  read(number: number, into: Uint8Array): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#file === undefined) {
      into.set(this.#inMemory[number]!);
      return;
    }
    const read = readSync(this.#file, into, 0, into.length, this.#endOf(number - 1));
    assert(read === into.length, `${into.length} bytes were written, ${read} are there`);
  }

  /** Removes the file: nothing can be read any more. Does nothing when that was done. */
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
