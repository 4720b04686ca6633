import { RecentMap } from './recent-map.ts';

interface Entry<V> {
  value: V;
  /** The how-manieth entry it was. */
  readonly place: number;
}

/**
 * A map that holds its newest entries and forgets the oldest for a new one.
 *
 * The first key of a `Map` can't serve as the oldest: it is found by walking over all that was
 * deleted before it, which costs as much as the map is large.
 */
export class BoundedMap<K, V> {
  readonly #capacity: number;
  readonly #entries = new RecentMap<K, Entry<V>>();
  /** The key of each place, at the place modulo the capacity. */
  readonly #keys: K[] = [];
  #next = 0;

  /** `capacity`: the most entries that are held; deleted ones count until their turn comes. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(key: K): boolean {
    return this.#entries.get(key) !== undefined;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Sets a value, that of a known key in its place, and answers with the one forgotten for it. */
  set(key: K, value: V): V | undefined {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.value = value;
      return undefined;
    }
    const forgotten = this.#makeRoom();
    this.#keys[this.#next % this.#capacity] = key;
    this.#entries.set(key, { value, place: this.#next++ });
    return forgotten;
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  #makeRoom(): V | undefined {
    if (this.#next < this.#capacity) return undefined;
    const oldest = this.#keys[this.#next % this.#capacity]!;
    const entry = this.#entries.get(oldest);
    // Deleted, or deleted and set anew since.
    if (entry?.place !== this.#next - this.#capacity) return undefined;
    this.#entries.delete(oldest);
    return entry.value;
  }
}
