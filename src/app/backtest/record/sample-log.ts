import type { ByteSpool } from './byte-spool.ts';

/** Samples that are put away at once. */
const BLOCK_SAMPLES = 1_024;

/** What is kept of an account: money and amounts, and prices and positions, one of each a market. */
interface Kept<Value> {
  /** Milliseconds since the epoch. */
  readonly time: Value;
  /** The currency that the account is valued in. */
  readonly money: Value;
  readonly prices: readonly Value[];
  /** Every other currency of the account. */
  readonly amounts: readonly Value[];
  /** What the strategies hold by their fills. */
  readonly positions: readonly Value[];
}

/** What an account holds. */
export type Holdings = Pick<Kept<number>, 'money' | 'amounts' | 'positions'>;

/** Where the newest price of a market stands. */
interface Priced {
  readonly last: number;
}

/** Some samples as columns of one length. */
export type SampleColumns = Kept<Float64Array>;

/** Columns that lie one behind the other in one array. */
interface Block {
  readonly bytes: Uint8Array;
  readonly columns: SampleColumns;
}

/** Samples in rising order of time: the newest in columns that serve again, the others put away. */
export class SampleLog implements Iterable<SampleColumns> {
  readonly #spool: ByteSpool;
  readonly #prices: readonly Priced[];
  readonly #amounts: number;
  readonly #newest: Block;
  #length = 0;
  /** What is held since, which seldom changes, and up to which sample the columns say so. */
  #held: Holdings | undefined;
  #settled = 0;

  /** `prices`: those of each market, which a sample takes. `amounts`: how many it has, one a market. */
  constructor(spool: ByteSpool, prices: readonly Priced[], amounts = prices.length) {
    this.#spool = spool;
    this.#prices = prices;
    this.#amounts = amounts;
    this.#newest = this.#newBlock();
  }

  /** Takes up what is held from the next sample on. */
  hold(held: Holdings): void {
    this.#settle();
    this.#held = held;
  }

  /** Takes the next sample; it takes the place of the last one if that is not before it. */
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

  /** The columns hold until the next ones are asked for. */
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

  /** Writes what was held at the samples since it was taken up. */
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
