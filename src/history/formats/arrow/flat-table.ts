/** Where the entries of a vector lie. */
export interface FlatVector {
  readonly at: number;
  readonly length: number;
}

/**
 * A table of a flatbuffer, the format in which Arrow describes a file. It never reads beyond its
 * bytes, whatever they say. A field is identified by its place in the table of offsets: 4, 6, 8 ...
 * Source: flatbuffers.dev/internals.
 *
 * @throws {RangeError} at every read that leads out of the bytes.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** The root table of a flatbuffer. */
  static in(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, view.getInt32(0, true));
  }

  /** A whole number of one byte. Default: 0. */
  byte(field: number): number {
    const at = this.#placeOf(field);
    return at === undefined ? 0 : this.#view.getUint8(at);
  }

  /** A whole number of eight bytes. Default: 0. */
  long(field: number): number {
    const at = this.#placeOf(field);
    return at === undefined ? 0 : this.longAt(at);
  }

  /** The whole number of eight bytes at a place. */
  longAt(at: number): number {
    return Number(this.#view.getBigInt64(at, true));
  }

  /** The whole number of four bytes at a place. */
  intAt(at: number): number {
    return this.#view.getInt32(at, true);
  }

  table(field: number): FlatTable | undefined {
    const at = this.#placeOf(field);
    return at === undefined ? undefined : this.#tableAt(at);
  }

  /** Entries of so many bytes each; none where there is no vector. */
  vector(field: number, entryBytes: number): FlatVector {
    const place = this.#placeOf(field);
    if (place === undefined) return { at: 0, length: 0 };
    const at = place + this.intAt(place) + 4;
    const length = this.intAt(at - 4);
    if (length < 0 || at + length * entryBytes > this.#view.byteLength) {
      throw new RangeError(`a vector has ${length} entries, fewer are wanted`);
    }
    return { at, length };
  }

  /** The tables that a vector leads to. */
  *tables(field: number): Generator<FlatTable> {
    const { at, length } = this.vector(field, 4);
    for (let entry = 0; entry < length; entry++) yield this.#tableAt(at + 4 * entry);
  }

  #tableAt(at: number): FlatTable {
    return new FlatTable(this.#view, at + this.intAt(at));
  }

  #placeOf(field: number): number | undefined {
    const offsets = this.#at - this.intAt(this.#at);
    if (field >= this.#view.getUint16(offsets, true)) return undefined;
    const offset = this.#view.getUint16(offsets + field, true);
    return offset === 0 ? undefined : this.#at + offset;
  }
}
