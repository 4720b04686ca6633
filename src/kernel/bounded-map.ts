/**
 * A map that holds its newest entries and forgets the oldest for a new one.
 *
 * The first key of a `Map` can't serve as the oldest: it is found by walking over all that was
 * deleted before it, which costs as much as the map is large.
 */
export class BoundedMap<K, V> {
  readonly #capacity: number;
  readonly #values = new Map<K, V>();
  /** The keys, the how-manieth each was modulo the capacity. */
  readonly #keys: K[] = [];
  #count = 0;

  /** `capacity`: the most entries that are held. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(key: K): boolean {
    return this.#values.has(key);
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  /** Sets a value, that of a known key in its place. */
  set(key: K, value: V): void {
    if (!this.has(key)) {
      const place = this.#count++ % this.#capacity;
      if (this.#count > this.#capacity) this.#values.delete(this.#keys[place]!);
      this.#keys[place] = key;
    }
    this.#values.set(key, value);
  }
}
