/** The bills of an account that are kept. A power of two. */
const BILLS_KEPT = 16_384;
const BILLS_AT_FIRST = 64;

/** One bill, in whole units of its currency. */
export interface BillRow {
  /** Running number of the exchange's bills. */
  readonly ordinal: number;
  /** Number of the currency. */
  readonly currency: number;
  readonly change: number;
  readonly balance: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Number of the type. */
  readonly type: number;
  readonly remark: string;
}

/** The newest bills of one account, in columns: a trade writes several and must leave no garbage. */
export class BillRing {
  /** How many there have ever been. */
  #count = 0;
  #capacity = BILLS_AT_FIRST;
  #ordinals = new Float64Array(BILLS_AT_FIRST);
  #currencies = new Uint16Array(BILLS_AT_FIRST);
  #changes = new Float64Array(BILLS_AT_FIRST);
  #balances = new Float64Array(BILLS_AT_FIRST);
  #times = new Float64Array(BILLS_AT_FIRST);
  #types = new Uint8Array(BILLS_AT_FIRST);
  readonly #remarks: string[] = [];

  push(bill: BillRow): void {
    if (this.#count === this.#capacity && this.#capacity < BILLS_KEPT) this.#grow();
    const at = this.#count++ & (this.#capacity - 1);
    this.#ordinals[at] = bill.ordinal;
    this.#currencies[at] = bill.currency;
    this.#changes[at] = bill.change;
    this.#balances[at] = bill.balance;
    this.#times[at] = bill.time;
    this.#types[at] = bill.type;
    this.#remarks[at] = bill.remark;
  }

  /** Newest first. */
  *rows(): Generator<BillRow> {
    const oldest = Math.max(0, this.#count - this.#capacity);
    for (let number = this.#count - 1; number >= oldest; number--) {
      const at = number & (this.#capacity - 1);
      yield {
        ordinal: this.#ordinals[at]!,
        currency: this.#currencies[at]!,
        change: this.#changes[at]!,
        balance: this.#balances[at]!,
        time: this.#times[at]!,
        type: this.#types[at]!,
        remark: this.#remarks[at]!,
      };
    }
  }

  /** Doubles the room. Nothing was overwritten yet, so everything keeps its place. */
  #grow(): void {
    this.#capacity *= 2;
    this.#ordinals = widened(this.#ordinals, new Float64Array(this.#capacity));
    this.#currencies = widened(this.#currencies, new Uint16Array(this.#capacity));
    this.#changes = widened(this.#changes, new Float64Array(this.#capacity));
    this.#balances = widened(this.#balances, new Float64Array(this.#capacity));
    this.#times = widened(this.#times, new Float64Array(this.#capacity));
    this.#types = widened(this.#types, new Uint8Array(this.#capacity));
  }
}

function widened<T extends { set(values: ArrayLike<number>): void }>(
  values: T & ArrayLike<number>,
  wide: T,
): T {
  wide.set(values);
  return wide;
}
