import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { assert, messageOf } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';

/** Where a value lies in the file. */
interface Place {
  readonly at: number;
  readonly length: number;
}

/**
 * Values put away one after the other and read back at will, in a file if one is given: what a long
 * run keeps for its end then takes no memory. A value is what a structured clone can hold: plain
 * objects, arrays, texts, numbers, typed arrays.
 */
export class Spool<T> {
  readonly #path: string | undefined;
  readonly #file: number | undefined;
  readonly #inMemory: Buffer[] = [];
  readonly #places: Place[] = [];
  #end = 0;
  #failure: AppError | undefined;
  #isClosed = false;

  /** `path`: a new file for them. Default: memory. @throws when it can't be made. */
  constructor(path?: string) {
    this.#path = path;
    this.#file = path === undefined ? undefined : openSync(path, 'wx+');
  }

  /** How many values were put away. */
  get length(): number {
    return this.#places.length;
  }

  /** Where it cannot be written, `get` says so. */
  put(value: T): void {
    const bytes = serialize(value);
    if (this.#file === undefined) this.#inMemory.push(bytes);
    else if (this.#failure === undefined) this.#write(this.#file, bytes);
    this.#places.push({ at: this.#end, length: bytes.length });
    this.#end += bytes.length;
  }

  /**
   * A copy of the value that was put away as that number, from 0.
   *
   * @throws {AppError} `recording` when one could not be written.
   */
  get(number: number): T {
    if (this.#failure !== undefined) throw this.#failure;
    const place = this.#places[number];
    assert(place !== undefined, `there are ${this.length} values, none has the number ${number}`);
    if (this.#file === undefined) return deserialize(this.#inMemory[number]!) as T;
    const bytes = Buffer.alloc(place.length);
    const read = readSync(this.#file, bytes, 0, place.length, place.at);
    assert(read === place.length, `${place.length} bytes were written, ${read} are there`);
    return deserialize(bytes) as T;
  }

  /** Removes the file: nothing can be read any more. Does nothing when that was done. */
  close(): void {
    if (this.#file === undefined || this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
    rmSync(this.#path!, { force: true });
  }

  #write(file: number, bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, this.#end + done);
      }
    } catch (thrown) {
      const what = `Cannot keep the orders, fills and samples of the run: ${messageOf(thrown)}`;
      this.#failure = new AppError('recording', what, { cause: thrown });
    }
  }
}
