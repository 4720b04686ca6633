import type { Spool } from './spool.ts';

/** Samples that are put away at once. */
const BLOCK_SAMPLES = 1_024;

/** The account at one time: money, and prices and amounts, one of each a market. */
export interface Sample {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Quote currency of the account. */
  readonly money: number;
  readonly prices: readonly number[];
  /** Base currency of the account, and what the strategies hold by their fills. */
  readonly amounts: readonly number[];
  readonly positions: readonly number[];
}

/** Some samples as columns of one length. */
export interface SampleColumns {
  readonly time: Float64Array;
  readonly money: Float64Array;
  /** A column each a market. */
  readonly prices: readonly Float64Array[];
  readonly amounts: readonly Float64Array[];
  readonly positions: readonly Float64Array[];
}

/** Samples in rising order of time: the newest as objects, the others put away as columns. */
export class SampleLog implements Iterable<SampleColumns> {
  readonly #spool: Spool<SampleColumns>;
  #newest: Sample[] = [];

  constructor(spool: Spool<SampleColumns>) {
    this.#spool = spool;
  }

  /** Takes the next sample; it takes the place of the last one if that is not before it. */
  add(sample: Sample): void {
    const last = this.#newest.at(-1);
    if (last !== undefined && last.time >= sample.time) this.#newest.pop();
    if (this.#newest.length === BLOCK_SAMPLES) {
      this.#spool.put(columnsOf(this.#newest));
      this.#newest = [];
    }
    this.#newest.push(sample);
  }

  *[Symbol.iterator](): Generator<SampleColumns> {
    for (let block = 0; block < this.#spool.length; block++) yield this.#spool.get(block);
    if (this.#newest.length > 0) yield columnsOf(this.#newest);
  }
}

function columnsOf(samples: readonly Sample[]): SampleColumns {
  const byMarket = (name: 'prices' | 'amounts' | 'positions'): Float64Array[] =>
    samples[0]![name].map((_, market) =>
      Float64Array.from(samples, (sample) => sample[name][market]!),
    );
  return {
    time: Float64Array.from(samples, ({ time }) => time),
    money: Float64Array.from(samples, ({ money }) => money),
    ...{ prices: byMarket('prices'), amounts: byMarket('amounts') },
    positions: byMarket('positions'),
  };
}
