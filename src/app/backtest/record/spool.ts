import { deserialize, serialize } from 'node:v8';
import { ByteSpool } from './byte-spool.ts';

/**
 * Values written one after the other and read back in any order. In a file, if one is given, what a
 * long run keeps for its end takes no memory. A value is what a structured clone can hold: plain
 * objects, arrays, texts, numbers, typed arrays.
 */
export class Spool<T> extends ByteSpool {
  /** Writes a value. If that fails, every `get` from then on throws. */
  put(value: T): void {
    this.write(serialize(value));
  }

  /**
   * A copy of a value; the first has the number 0.
   *
   * @throws {AppError} `recording` once a write has failed.
   */
  get(number: number): T {
    const bytes = Buffer.alloc(this.sizeOf(number));
    this.read(number, bytes);
    return deserialize(bytes) as T;
  }
}
