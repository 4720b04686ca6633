import type { NumberSpool } from './number-spool.ts';

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

/** Columns that lie one behind the other in one array. */
interface Block {
  readonly numbers: Float64Array;
  readonly columns: SampleColumns;
}

/** Samples in rising order of time: the newest in columns that serve again, the others put away. */
export class SampleLog implements Iterable<SampleColumns> {
  readonly #spool: NumberSpool;
  #newest: Block | undefined;
  #length = 0;

  constructor(spool: NumberSpool) {
    this.#spool = spool;
  }

  /** Takes a copy of the next sample; it takes the place of the last one if that is not before it. */
  add(sample: Sample): void {
    this.#newest ??= blockFor(sample.prices.length);
    const { numbers, columns } = this.#newest;
    if (this.#length > 0 && columns.time[this.#length - 1]! >= sample.time) this.#length--;
    if (this.#length === BLOCK_SAMPLES) {
      this.#spool.put(numbers);
      this.#length = 0;
    }
    write(sample, { columns, at: this.#length++ });
  }

  /** The columns hold until the next ones are asked for. */
  *[Symbol.iterator](): Generator<SampleColumns> {
    if (this.#newest === undefined) return;
    const { numbers, columns } = blockFor(this.#newest.columns.prices.length);
    for (let block = 0; block < this.#spool.length; block++) {
      this.#spool.read(block, numbers);
      yield columns;
    }
    yield beginningOf(this.#newest.columns, this.#length);
  }
}

function blockFor(markets: number): Block {
  const numbers = new Float64Array((2 + 3 * markets) * BLOCK_SAMPLES);
  let end = 0;
  const column = () => {
    end += BLOCK_SAMPLES;
    return numbers.subarray(end - BLOCK_SAMPLES, end);
  };
  const byMarket = () => Array.from({ length: markets }, column);
  const columns = {
    ...{ time: column(), money: column() },
    ...{ prices: byMarket(), amounts: byMarket(), positions: byMarket() },
  };
  return { numbers, columns };
}

function write(sample: Sample, { columns, at }: { columns: SampleColumns; at: number }): void {
  columns.time[at] = sample.time;
  columns.money[at] = sample.money;
  for (let market = 0; market < sample.prices.length; market++) {
    columns.prices[market]![at] = sample.prices[market]!;
    columns.amounts[market]![at] = sample.amounts[market]!;
    columns.positions[market]![at] = sample.positions[market]!;
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
