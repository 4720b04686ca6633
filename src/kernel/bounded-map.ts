/**
 * A map of limited size: when it is full, a new key pushes out the oldest.
 *
 * Asking a `Map` for its first key instead would be slow: it walks over all keys deleted before it.
 */
export class BoundedMap<K, V> {
  readonly #capacity: number;
  readonly #values = new Map<K, V>();
  /** A ring of the keys in the order in which they were added. */
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

  /** Sets a value. A known key keeps its age. */
  set(key: K, value: V): void {
    if (!this.has(key)) {
      const place = this.#count++ % this.#capacity;
      if (this.#count > this.#capacity) this.#values.delete(this.#keys[place]!);
      this.#keys[place] = key;
    }
    this.#values.set(key, value);
  }
}
