import { SpoolFile } from './spool-file.ts';

/**
 * Blocks of numbers, put away one after the other and read back at will, in a file if one is given.
 * No numbers are made anew for a block that is read.
 */
export class NumberSpool {
  readonly #file: SpoolFile | undefined;
  readonly #inMemory: Float64Array[] = [];
  /** Where each block ends in the file, numbers from its beginning. */
  readonly #ends: number[] = [];

  /** `path`: a new file for them. Default: memory. @throws when it can't be made. */
  constructor(path?: string) {
    this.#file = path === undefined ? undefined : new SpoolFile(path);
  }

  /** How many blocks were put away. */
  get length(): number {
    return this.#ends.length;
  }

  /** Takes a copy. Where it cannot be written, `read` says so. */
  put(block: Float64Array): void {
    if (this.#file === undefined) this.#inMemory.push(block.slice());
    else this.#file.write(bytesOf(block));
    this.#ends.push(this.#endOf(this.length - 1) + block.length);
  }

  /**
   * Puts the numbers of a block, counted from 0, into one that has room for them; gives the part that
   * they fill.
   *
   * @throws {AppError} `recording` when one could not be written.
   */
  read(number: number, into: Float64Array): Float64Array {
    const from = this.#endOf(number - 1);
    const block = into.subarray(0, this.#endOf(number) - from);
    if (this.#file === undefined) block.set(this.#inMemory[number]!);
    else this.#file.read(bytesOf(block), from * block.BYTES_PER_ELEMENT);
    return block;
  }

  #endOf(number: number): number {
    return this.#ends[number] ?? 0;
  }

  /** Removes the file: nothing can be read any more. Does nothing when that was done. */
  close(): void {
    this.#file?.close();
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
