import { SpoolFile } from './spool-file.ts';

/**
 * Blocks of numbers, all of one length, put away one after the other and read back at will, in a
 * file if one is given. Nothing is made anew for a block that is read.
 */
export class NumberSpool {
  readonly #file: SpoolFile | undefined;
  readonly #inMemory: Float64Array[] = [];
  #length = 0;

  /** `path`: a new file for them. Default: memory. @throws when it can't be made. */
  constructor(path?: string) {
    this.#file = path === undefined ? undefined : new SpoolFile(path);
  }

  /** How many blocks were put away. */
  get length(): number {
    return this.#length;
  }

  /** Takes a copy. Where it cannot be written, `read` says so. */
  put(block: Float64Array): void {
    if (this.#file === undefined) this.#inMemory.push(block.slice());
    else this.#file.write(bytesOf(block));
    this.#length++;
  }

  /**
   * Puts the numbers of a block, counted from 0, into one of its length.
   *
   * @throws {AppError} `recording` when one could not be written.
   */
  read(number: number, into: Float64Array): void {
    if (this.#file === undefined) into.set(this.#inMemory[number]!);
    else this.#file.read(bytesOf(into), number * into.byteLength);
  }

  /** Removes the file: nothing can be read any more. Does nothing when that was done. */
  close(): void {
    this.#file?.close();
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
