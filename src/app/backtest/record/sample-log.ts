import type { ByteSpool } from './byte-spool.ts';

/** Samples in a block of the spool. */
const BLOCK_SAMPLES = 1_024;

/** A sample of an account. Prices and positions are one for each market. */
interface Kept<Value> {
  /** Milliseconds since the epoch. */
  readonly time: Value;
  /** The currency that the account is valued in. */
  readonly money: Value;
  readonly prices: readonly Value[];
  /** The amount of each other currency of the account. */
  readonly amounts: readonly Value[];
  /** What the strategies hold according to their fills. */
  readonly positions: readonly Value[];
}

/** What an account holds. */
export type Holdings = Pick<Kept<number>, 'money' | 'amounts' | 'positions'>;

/** Holds the newest price of a market. */
interface Priced {
  readonly last: number;
}

/** Some samples as columns of one length. */
export type SampleColumns = Kept<Float64Array>;

/** Columns that lie one after the other in one array. */
interface Block {
  readonly bytes: Uint8Array;
  readonly columns: SampleColumns;
}

/** Samples in order of time: the newest in columns that are reused, the others in a spool. */
export class SampleLog implements Iterable<SampleColumns> {
  readonly #spool: ByteSpool;
  readonly #prices: readonly Priced[];
  readonly #amounts: number;
  readonly #newest: Block;
  #length = 0;
  /** The present holdings, which seldom change, and how many samples have theirs in the columns. */
  #held: Holdings | undefined;
  #settled = 0;

  /** `prices`: the price of each market. `amounts`: how many it has. Default: one a market. */
  constructor(spool: ByteSpool, prices: readonly Priced[], amounts = prices.length) {
    this.#spool = spool;
    this.#prices = prices;
    this.#amounts = amounts;
    this.#newest = this.#newBlock();
  }

  /** Sets the holdings from the next sample on. */
  hold(held: Holdings): void {
    this.#settle();
    this.#held = held;
  }

  /** Takes the next sample, which replaces the last one if that is not earlier. */
  add(timeMs: number): void {
    const { time, prices } = this.#newest.columns;
    if (this.#length > 0 && time[this.#length - 1]! >= timeMs) this.#dropLast();
    if (this.#length === BLOCK_SAMPLES) this.#putAway();
    const at = this.#length++;
    time[at] = timeMs;
    for (let market = 0; market < prices.length; market++) {
      prices[market]![at] = this.#prices[market]!.last;
    }
  }

  /** Blocks of samples. The columns are valid only until the next block is requested. */
  *[Symbol.iterator](): Generator<SampleColumns> {
    if (this.#length === 0) return;
    this.#settle();
    const room = this.#newBlock();
    for (let block = 0; block < this.#spool.length; block++) {
      this.#spool.read(block, room.bytes);
      yield room.columns;
    }
    yield beginningOf(this.#newest.columns, this.#length);
  }

  #dropLast(): void {
    this.#length--;
    this.#settled = Math.min(this.#settled, this.#length);
  }

  #putAway(): void {
    this.#settle();
    this.#spool.write(this.#newest.bytes);
    this.#length = 0;
    this.#settled = 0;
  }

  /** Writes the present holdings into the samples taken since they were set. */
  #settle(): void {
    const [from, to] = [this.#settled, this.#length];
    if (from === to || this.#held === undefined) return;
    const { money, amounts, positions } = this.#newest.columns;
    money.fill(this.#held.money, from, to);
    for (const [at, amount] of this.#held.amounts.entries()) amounts[at]!.fill(amount, from, to);
    for (const [market, position] of this.#held.positions.entries()) {
      positions[market]!.fill(position, from, to);
    }
    this.#settled = to;
  }

  #newBlock(): Block {
    return blockFor({ markets: this.#prices.length, amounts: this.#amounts });
  }
}

function blockFor(counts: { readonly markets: number; readonly amounts: number }): Block {
  const numbers = new Float64Array((2 + 2 * counts.markets + counts.amounts) * BLOCK_SAMPLES);
  let end = 0;
  const column = () => {
    end += BLOCK_SAMPLES;
    return numbers.subarray(end - BLOCK_SAMPLES, end);
  };
  const several = (length: number) => Array.from({ length }, column);
  const { markets, amounts } = counts;
  const columns = {
    ...{ time: column(), money: column(), prices: several(markets) },
    ...{ amounts: several(amounts), positions: several(markets) },
  };
  return { bytes: new Uint8Array(numbers.buffer), columns };
}

function beginningOf(columns: SampleColumns, length: number): SampleColumns {
  const cut = (column: Float64Array) => column.slice(0, length);
  const { time, money, prices, amounts, positions } = columns;
  return {
    ...{ time: cut(time), money: cut(money), prices: prices.map(cut) },
    ...{ amounts: amounts.map(cut), positions: positions.map(cut) },
  };
}
