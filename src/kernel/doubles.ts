const FIRST_LENGTH = 1_024;

/** A column of numbers that grows. */
export class Doubles {
  #values = new Float64Array(FIRST_LENGTH);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const values = new Float64Array(2 * this.#length);
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[this.#length++] = value;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** The numbers so far, without a copy. */
  view(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}
