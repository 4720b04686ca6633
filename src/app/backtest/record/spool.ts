import { deserialize, serialize } from 'node:v8';
import { ByteSpool } from './byte-spool.ts';

/**
 * Values put away one after the other and read back at will, in a file if one is given: what a long
 * run keeps for its end then takes no memory. A value is what a structured clone can hold: plain
 * objects, arrays, texts, numbers, typed arrays.
 */
export class Spool<T> extends ByteSpool {
  /** Where it cannot be written, `get` says so. */
  put(value: T): void {
    this.write(serialize(value));
  }

  /**
   * A copy of the value that was put away as that number, from 0.
   *
   * @throws {AppError} `recording` when one could not be written.
   */
  get(number: number): T {
    const bytes = Buffer.alloc(this.sizeOf(number));
    this.read(number, bytes);
    return deserialize(bytes) as T;
  }
}
