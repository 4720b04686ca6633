import { deserialize, serialize } from 'node:v8';
import { assert } from '../../../kernel/index.ts';
import { SpoolFile } from './spool-file.ts';

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
  readonly #file: SpoolFile | undefined;
  readonly #inMemory: Buffer[] = [];
  readonly #places: Place[] = [];
  #end = 0;

  /** `path`: a new file for them. Default: memory. @throws when it can't be made. */
  constructor(path?: string) {
    this.#file = path === undefined ? undefined : new SpoolFile(path);
  }

  /** How many values were put away. */
  get length(): number {
    return this.#places.length;
  }

  /** Where it cannot be written, `get` says so. */
  put(value: T): void {
    const bytes = serialize(value);
    if (this.#file === undefined) this.#inMemory.push(bytes);
    else this.#file.write(bytes);
    this.#places.push({ at: this.#end, length: bytes.length });
    this.#end += bytes.length;
  }

  /**
   * A copy of the value that was put away as that number, from 0.
   *
   * @throws {AppError} `recording` when one could not be written.
   */
  get(number: number): T {
    const place = this.#places[number];
    assert(place !== undefined, `there are ${this.length} values, none has the number ${number}`);
    if (this.#file === undefined) return deserialize(this.#inMemory[number]!) as T;
    const bytes = Buffer.alloc(place.length);
    this.#file.read(bytes, place.at);
    return deserialize(bytes) as T;
  }

  /** Removes the file: nothing can be read any more. Does nothing when that was done. */
  close(): void {
    this.#file?.close();
  }
}
