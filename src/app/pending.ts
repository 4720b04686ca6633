import { setImmediate } from 'node:timers/promises';

/** Reads from outside of time, such as of files: virtual time stands still until they are done. */
export class Pending {
  readonly #open = new Set<Promise<unknown>>();

  /** What is being read now, settled or not by the end; undefined when nothing is. */
  current(): Promise<unknown> | undefined {
    if (this.#open.size === 0) return undefined;
    // Whoever waits for the read goes on first, and may read more.
    return Promise.allSettled(this.#open).then(() => setImmediate());
  }

  /** The same items, each read of them known here. */
  async *follow<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#track(iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  async #track<T>(read: Promise<T>): Promise<T> {
    this.#open.add(read);
    try {
      return await read;
    } finally {
      this.#open.delete(read);
    }
  }
}
