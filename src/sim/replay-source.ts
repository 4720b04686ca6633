import type { MarketRecord } from '../domain/index.ts';

/** Records at hand, or records that are read from somewhere during the replay. */
export type RecordSource = Iterable<MarketRecord> | AsyncIterable<MarketRecord>;

/** Records of one batch: so many are played without a pause, at most twice as many are held. */
export const BATCH_RECORDS = 1_024;

/** One pass over a source, in batches. */
export interface Batches {
  /**
   * The next records, empty at the end; undefined while they are still being read, and `onReady`
   * tells when to ask again.
   *
   * @throws whatever the source failed with.
   */
  take(): readonly MarketRecord[] | undefined;
  /** Lets go of the source. */
  stop(): void;
}

/** Starts a pass over a source. Reads one batch ahead where the source is asynchronous. */
export function batchesOf(source: RecordSource, onReady: () => void): Batches {
  if (Symbol.asyncIterator in source) return new ReadAhead(source, onReady);
  return new AtHand(source);
}

class AtHand implements Batches {
  readonly #iterator: Iterator<MarketRecord>;

  constructor(source: Iterable<MarketRecord>) {
    this.#iterator = source[Symbol.iterator]();
  }

  take(): MarketRecord[] {
    const batch: MarketRecord[] = [];
    while (batch.length < BATCH_RECORDS) {
      const next = this.#iterator.next();
      if (next.done) break;
      batch.push(next.value);
    }
    return batch;
  }

  stop(): void {
    this.#iterator.return?.();
  }
}

/** Keeps one batch ready while another is played; reads no further until that one is taken. */
class ReadAhead implements Batches {
  readonly #iterator: AsyncIterator<MarketRecord>;
  readonly #onReady: () => void;
  #ready: readonly MarketRecord[] | undefined;
  #failure: { readonly thrown: unknown } | undefined;
  #stopped = false;

  constructor(source: AsyncIterable<MarketRecord>, onReady: () => void) {
    this.#iterator = source[Symbol.asyncIterator]();
    this.#onReady = onReady;
    void this.#read();
  }

  take(): readonly MarketRecord[] | undefined {
    const batch = this.#ready;
    if (batch !== undefined) {
      this.#ready = undefined;
      if (batch.length > 0 && this.#failure === undefined) void this.#read();
      return batch;
    }
    if (this.#failure !== undefined) throw this.#failure.thrown;
    return undefined;
  }

  stop(): void {
    this.#stopped = true;
    // What a source throws while it is closed concerns nobody any more.
    void this.#iterator.return?.().catch(() => {});
  }

  /** Records read before a failure are handed out first. */
  async #read(): Promise<void> {
    const batch: MarketRecord[] = [];
    try {
      while (batch.length < BATCH_RECORDS) {
        const next = await this.#iterator.next();
        if (next.done) break;
        batch.push(next.value);
      }
    } catch (thrown) {
      this.#failure = { thrown };
    }
    if (this.#stopped) return;
    if (batch.length > 0 || this.#failure === undefined) this.#ready = batch;
    this.#onReady();
  }
}
