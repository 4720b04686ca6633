import type { Spool } from './spool.ts';

/** Samples that are put away at once. */
const BLOCK_SAMPLES = 1_024;

/** What is kept of an account: money, and prices and amounts, one of each a market. */
interface Kept<Value> {
  /** Milliseconds since the epoch. */
  readonly time: Value;
  /** Quote currency of the account. */
  readonly money: Value;
  readonly prices: readonly Value[];
  /** Base currency of the account, and what the strategies hold by their fills. */
  readonly amounts: readonly Value[];
  readonly positions: readonly Value[];
}

/** The account at one time. */
export type Sample = Kept<number>;

/** Some samples as columns of one length. */
export type SampleColumns = Kept<Float64Array>;

/** Samples in rising order of time: the newest in columns that serve again, the others put away. */
export class SampleLog implements Iterable<SampleColumns> {
  readonly #spool: Spool<SampleColumns>;
  #newest: SampleColumns | undefined;
  #length = 0;

  constructor(spool: Spool<SampleColumns>) {
    this.#spool = spool;
  }

  /** Takes the next sample; it takes the place of the last one if that is not before it. */
  add(sample: Sample): void {
    this.#newest ??= columnsFor(sample.prices.length);
    const newest = this.#newest;
    if (this.#length > 0 && newest.time[this.#length - 1]! >= sample.time) this.#length--;
    if (this.#length === BLOCK_SAMPLES) {
      this.#spool.put(newest);
      this.#length = 0;
    }
    write(sample, { columns: newest, at: this.#length++ });
  }

  *[Symbol.iterator](): Generator<SampleColumns> {
    for (let block = 0; block < this.#spool.length; block++) yield this.#spool.get(block);
    if (this.#newest !== undefined) yield beginningOf(this.#newest, this.#length);
  }
}

function columnsFor(markets: number): SampleColumns {
  const column = () => new Float64Array(BLOCK_SAMPLES);
  const byMarket = () => Array.from({ length: markets }, column);
  return {
    ...{ time: column(), money: column() },
    ...{ prices: byMarket(), amounts: byMarket(), positions: byMarket() },
  };
}

function write(sample: Sample, { columns, at }: { columns: SampleColumns; at: number }): void {
  columns.time[at] = sample.time;
  columns.money[at] = sample.money;
  for (const name of ['prices', 'amounts', 'positions'] as const) {
    for (const [market, column] of columns[name].entries()) column[at] = sample[name][market]!;
  }
}

function beginningOf(columns: SampleColumns, length: number): SampleColumns {
  const cut = (column: Float64Array) => column.slice(0, length);
  const { time, money, prices, amounts, positions } = columns;
  return {
    ...{ time: cut(time), money: cut(money), prices: prices.map(cut) },
    ...{ amounts: amounts.map(cut), positions: positions.map(cut) },
  };
}
