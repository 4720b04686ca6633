import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '../../kernel/index.ts';

/**
 * The virtual clock of a run. It stands still while something outside of its time is read, such as
 * a recording on disk, so that the speed of the disk does not matter.
 */
export class RehearsalClock extends VirtualClock {
  readonly #open = new Set<Promise<unknown>>();

  /** Resolves once the reads under way are settled; undefined when there are none. */
  reading(): Promise<unknown> | undefined {
    if (this.#open.size === 0) return undefined;
    // Those who await a read go on first, and may read more.
    return Promise.allSettled(this.#open).then(() => setImmediate());
  }

  /** Waits until nothing is being read. */
  async settled(): Promise<void> {
    for (let read = this.reading(); read !== undefined; read = this.reading()) await read;
  }

  /** The same items; time stands still while one of them is read. */
  async *awaited<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
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
