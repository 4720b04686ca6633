import { finalize, type Observable, share } from 'rxjs';

/**
 * Streams of frames by name, each made once and rendered once for all who listen. A stream lives
 * from its first listener to its last.
 */
export class SharedFrames {
  readonly #streams = new Map<string, Observable<string>>();

  /** How many streams have listeners. */
  get size(): number {
    return this.#streams.size;
  }

  /** The stream of that name; `make` is called when nobody listens to it yet. */
  of(name: string, make: () => Observable<string>): Observable<string> {
    const known = this.#streams.get(name);
    if (known !== undefined) return known;
    const stream: Observable<string> = make().pipe(
      finalize(() => {
        if (this.#streams.get(name) === stream) this.#streams.delete(name);
      }),
      share(),
    );
    this.#streams.set(name, stream);
    return stream;
  }
}
