/**
 * A map that knows its last answer without looking it up: for keys of text that are asked for many
 * times in a row, such as the id of the order that changes. A missing key is as good an answer.
 */
export class RecentMap<K, V> {
  readonly #map = new Map<K, V>();
  #key: K | undefined;
  #value: V | undefined;

  get(key: K): V | undefined {
    if (key !== this.#key) this.#remember(key, this.#map.get(key));
    return this.#value;
  }

  set(key: K, value: V): void {
    this.#map.set(key, value);
    this.#remember(key, value);
  }

  delete(key: K): void {
    this.#map.delete(key);
    if (key === this.#key) this.#value = undefined;
  }

  #remember(key: K, value: V | undefined): void {
    this.#key = key;
    this.#value = value;
  }
}
