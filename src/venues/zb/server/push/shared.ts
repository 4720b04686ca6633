import { finalize, map, type Observable, ReplaySubject, Subject, share } from 'rxjs';
import type { Update } from './updates.ts';

/**
 * Streams of frames by name, each made once and rendered once for all listeners. A stream lives
 * from its first listener to its last.
 */
export class SharedFrames {
  readonly #streams = new Map<string, Observable<unknown>>();

  /** Frames from now on, the same for all; `make` is called if there is no listener yet. */
  of(name: string, make: () => Observable<string>): Observable<string> {
    return this.#stream(name, { make, connector: () => new Subject<string>() });
  }

  /** For each listener first everything that is known, then changes. */
  joined(name: string, make: () => Observable<Update>): Observable<string> {
    return this.#stream(name, { make, connector: () => new ReplaySubject<Update>(1) }).pipe(
      map((update, heard) => (heard === 0 ? update.whole() : update.frame)),
    );
  }

  /** A name always stands for a stream of one kind. */
  #stream<T>(name: string, source: Source<T>): Observable<T> {
    const known = this.#streams.get(name) as Observable<T> | undefined;
    if (known !== undefined) return known;
    const stream: Observable<T> = source.make().pipe(
      finalize(() => {
        if (this.#streams.get(name) === stream) this.#streams.delete(name);
      }),
      share({ connector: source.connector }),
    );
    this.#streams.set(name, stream);
    return stream;
  }
}

interface Source<T> {
  readonly make: () => Observable<T>;
  readonly connector: () => Subject<T>;
}
