const FIRST_CAPACITY = 1_024;

/** Columns of one length, the time of each row among them. */
type Columns<Rows> = { readonly [column in keyof Rows]: Float64Array } & {
  readonly time: Float64Array;
};

export interface DelayLineOptions<Rows> {
  readonly columns: readonly (keyof Rows)[];
  /** How long row `at` is under way, milliseconds. Asked once for all rows of one time. */
  readonly latencyMs: (rows: Rows, at: number) => number;
}

/**
 * Rows under way: each is copied in with the time at which it arrives, and leaves in the order in
 * which it came, so that a quick row waits for a slow one before it. A ring of typed arrays: nothing
 * is kept per row but numbers.
 */
export class DelayLine<Rows extends Columns<Rows>> {
  readonly #names: readonly (keyof Rows)[];
  readonly #latencyMs: (rows: Rows, at: number) => number;
  #columns: Float64Array[];
  /** The rows that came last, and their columns in the same order. */
  #source: Rows | undefined;
  #sources: readonly Float64Array[] = [];
  #rows: Rows;
  #dueMs = new Float64Array(FIRST_CAPACITY);
  #first = 0;
  #size = 0;
  #nextMs = Number.POSITIVE_INFINITY;
  #lastTime = Number.NaN;
  #lastDueMs = Number.NEGATIVE_INFINITY;

  constructor({ columns, latencyMs }: DelayLineOptions<Rows>) {
    this.#names = columns;
    this.#latencyMs = latencyMs;
    this.#columns = columns.map(() => new Float64Array(FIRST_CAPACITY));
    this.#rows = this.#view();
  }

  /** Rows under way. */
  get size(): number {
    return this.#size;
  }

  /** When the next row arrives, infinite while none is under way. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** The columns in which `at` is the next row; they hold until the next `push`. */
  get rows(): Rows {
    return this.#rows;
  }

  /** Place of the next row. */
  get at(): number {
    return this.#first;
  }

  /** Takes a copy of row `at`: it arrives after its latency, or right after the one before. */
  push(rows: Rows, at: number): void {
    if (this.#size === this.#dueMs.length) this.#grow();
    const place = (this.#first + this.#size) & (this.#dueMs.length - 1);
    const time = rows.time[at]!;
    if (time !== this.#lastTime) this.#draw(rows, at);
    this.#dueMs[place] = this.#lastDueMs;
    if (rows !== this.#source) this.#follow(rows);
    const sources = this.#sources;
    for (let column = 0; column < sources.length; column++) {
      this.#columns[column]![place] = sources[column]![at]!;
    }
    if (this.#size++ === 0) this.#nextMs = this.#lastDueMs;
  }

  /** The next row has arrived. */
  shift(): void {
    this.#first = (this.#first + 1) & (this.#dueMs.length - 1);
    this.#nextMs = --this.#size === 0 ? Number.POSITIVE_INFINITY : this.#dueMs[this.#first]!;
  }

  #follow(rows: Rows): void {
    this.#source = rows;
    this.#sources = this.#names.map((name) => rows[name]!);
  }

  #draw(rows: Rows, at: number): void {
    this.#lastTime = rows.time[at]!;
    const dueMs = this.#lastTime + this.#latencyMs(rows, at);
    // A latency that is not known is that of the row before.
    if (dueMs > this.#lastDueMs) this.#lastDueMs = dueMs;
  }

  #grow(): void {
    const unrolled = (column: Float64Array) => {
      const larger = new Float64Array(2 * column.length);
      larger.set(column.subarray(this.#first));
      larger.set(column.subarray(0, this.#first), column.length - this.#first);
      return larger;
    };
    this.#columns = this.#columns.map(unrolled);
    this.#dueMs = unrolled(this.#dueMs);
    this.#first = 0;
    this.#rows = this.#view();
  }

  #view(): Rows {
    const entries = this.#names.map((name, at) => [name, this.#columns[at]!]);
    return Object.fromEntries(entries) as Rows;
  }
}
