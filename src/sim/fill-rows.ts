/** What the store keeps of a trade of an order, in whole units of its market. */
export interface StoredFill {
  readonly tradeId: number;
  readonly price: number;
  readonly amount: number;
  /** What was paid, in whole units of the quote currency. */
  readonly value: number;
  /** The fee, in whole units of the currency that it is taken in. */
  readonly fee: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

const DOUBLES = 6;

const VALUE = 0;
const FEE = 1;
const LAST_ID = 2;
const LAST_PRICE = 3;
const LAST_AMOUNT = 4;
const LAST_TIME = 5;

/** Sums and last fills of orders, one row for each: valid only once the order has a fill. */
export class FillRows {
  #doubles: Float64Array<ArrayBuffer>;

  constructor(rows: number) {
    this.#doubles = new Float64Array(rows * DOUBLES);
  }

  /** Adds a fill; the first one overwrites whatever the row held. */
  record(row: number, fill: StoredFill, { isFirst }: { readonly isFirst: boolean }): void {
    const at = row * DOUBLES;
    const doubles = this.#doubles;
    doubles[at + VALUE] = isFirst ? fill.value : doubles[at + VALUE]! + fill.value;
    doubles[at + FEE] = isFirst ? fill.fee : doubles[at + FEE]! + fill.fee;
    doubles[at + LAST_ID] = fill.tradeId;
    doubles[at + LAST_PRICE] = fill.price;
    doubles[at + LAST_AMOUNT] = fill.amount;
    doubles[at + LAST_TIME] = fill.time;
  }

  /** Copies the row `theirs` of `others`. */
  copy(row: number, others: FillRows, theirs: number): void {
    const at = row * DOUBLES;
    const from = theirs * DOUBLES;
    for (let place = 0; place < DOUBLES; place++) {
      this.#doubles[at + place] = others.#doubles[from + place]!;
    }
  }

  /** What was paid in all, in whole units of the quote currency. */
  value(row: number): number {
    return this.#doubles[row * DOUBLES + VALUE]!;
  }

  /** Fees in all, in whole units of the currency that they are taken in. */
  fee(row: number): number {
    return this.#doubles[row * DOUBLES + FEE]!;
  }

  lastTradeId(row: number): number {
    return this.#doubles[row * DOUBLES + LAST_ID]!;
  }

  lastPrice(row: number): number {
    return this.#doubles[row * DOUBLES + LAST_PRICE]!;
  }

  lastAmount(row: number): number {
    return this.#doubles[row * DOUBLES + LAST_AMOUNT]!;
  }

  lastTime(row: number): number {
    return this.#doubles[row * DOUBLES + LAST_TIME]!;
  }

  /** Makes room for twice as many rows. */
  grow(): void {
    this.#doubles = twice(this.#doubles);
  }
}

/** A copy that is twice as long, the old doubles first. */
export function twice(doubles: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * doubles.length);
  larger.set(doubles);
  return larger;
}
