import { assert } from '../../kernel/index.ts';
import type { Run } from './model.ts';

/** Runs that the ring first has room for. A power of two. */
const FIRST_CAPACITY = 1_024;

/** Columns of equal length, one of them the time of each row. */
type Columns<Rows> = { readonly [column in keyof Rows]: Float64Array } & {
  readonly time: Float64Array;
};

export interface DelayLineOptions<Rows> {
  readonly columns: readonly (keyof Rows)[];
  /**
   * How long row `at` is under way, milliseconds. Called once for each stamp, and again for rows of
   * that stamp that follow after `passTime`.
   */
  readonly latencyMs: (rows: Rows, at: number) => number;
}

/**
 * Rows under way: each run of rows gets the time at which it arrives. Runs leave in the order in
 * which they came, so a quick one waits for a slow one before it. The line is a ring of numbers;
 * rows are copied only when their own columns are about to be reused.
 */
export class DelayLine<Rows extends Columns<Rows>> {
  readonly #names: readonly (keyof Rows)[];
  readonly #latencyMs: (rows: Rows, at: number) => number;
  /** For each run under way: where it begins and ends in its columns, and when it arrives. */
  #from = new Float64Array(FIRST_CAPACITY);
  #end = new Float64Array(FIRST_CAPACITY);
  #dueMs = new Float64Array(FIRST_CAPACITY);
  #first = 0;
  #size = 0;
  /** The columns of the runs pushed since `keep`, and the copies of those before. */
  #source: Rows | undefined;
  #kept: Rows;
  /** How many runs lie in `#kept`. */
  #keptRuns = 0;
  #nextMs = Number.POSITIVE_INFINITY;
  #lastTime = Number.NaN;
  #lastDueMs = Number.NEGATIVE_INFINITY;
  readonly #run: Run = { at: 0, end: 0 };

  constructor({ columns, latencyMs }: DelayLineOptions<Rows>) {
    this.#names = columns;
    this.#latencyMs = latencyMs;
    this.#kept = this.#columns(0);
  }

  /** Runs under way. */
  get size(): number {
    return this.#size;
  }

  /** When the next run arrives, infinite while none is under way. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** The columns of the next run; they hold until `keep`. */
  get rows(): Rows {
    return this.#keptRuns > 0 || this.#source === undefined ? this.#kept : this.#source;
  }

  /** The next run: the same object at each call. */
  get run(): Run {
    this.#run.at = this.#from[this.#first]!;
    this.#run.end = this.#end[this.#first]!;
    return this.#run;
  }

  /** Adds a run: it arrives after its latency, but not before the run ahead of it. */
  push(rows: Rows, { at, end }: Run): void {
    if (this.#size === this.#dueMs.length) this.#grow();
    if (rows.time[at]! !== this.#lastTime) this.#draw(rows, at);
    assert(rows === this.#source || this.#size === this.#keptRuns, 'rows under way are kept');
    this.#source = rows;
    const place = (this.#first + this.#size) & (this.#dueMs.length - 1);
    this.#from[place] = at;
    this.#end[place] = end;
    this.#dueMs[place] = this.#lastDueMs;
    if (this.#size++ === 0) this.#nextMs = this.#lastDueMs;
  }

  /** Time has passed: the next row happens later than those before, even with the same stamp. */
  passTime(): void {
    this.#lastTime = Number.NaN;
  }

  /** The next run has arrived. */
  shift(): void {
    if (this.#keptRuns > 0) this.#keptRuns--;
    this.#first = (this.#first + 1) & (this.#dueMs.length - 1);
    this.#nextMs = --this.#size === 0 ? Number.POSITIVE_INFINITY : this.#dueMs[this.#first]!;
  }

  /** Copies the rows under way, whose columns are about to be reused. */
  keep(): void {
    const kept = this.#columns(this.#rowCount());
    let length = 0;
    for (let number = 0; number < this.#size; number++) {
      const place = (this.#first + number) & (this.#dueMs.length - 1);
      const [from, end] = [this.#from[place]!, this.#end[place]!];
      const rows = number < this.#keptRuns ? this.#kept : this.#source!;
      for (const name of this.#names) kept[name].set(rows[name].subarray(from, end), length);
      this.#from[place] = length;
      length += end - from;
      this.#end[place] = length;
    }
    this.#kept = kept;
    this.#keptRuns = this.#size;
    this.#source = undefined;
  }

  /** Rows under way. */
  #rowCount(): number {
    let count = 0;
    for (let number = 0; number < this.#size; number++) {
      const place = (this.#first + number) & (this.#dueMs.length - 1);
      count += this.#end[place]! - this.#from[place]!;
    }
    return count;
  }

  #draw(rows: Rows, at: number): void {
    this.#lastTime = rows.time[at]!;
    const dueMs = this.#lastTime + this.#latencyMs(rows, at);
    if (dueMs > this.#lastDueMs) this.#lastDueMs = dueMs;
  }

  #grow(): void {
    const unrolled = (values: Float64Array<ArrayBuffer>) => {
      const larger = new Float64Array(2 * values.length);
      larger.set(values.subarray(this.#first));
      larger.set(values.subarray(0, this.#first), values.length - this.#first);
      return larger;
    };
    this.#from = unrolled(this.#from);
    this.#end = unrolled(this.#end);
    this.#dueMs = unrolled(this.#dueMs);
    this.#first = 0;
  }

  #columns(length: number): Rows {
    const entries = this.#names.map((name) => [name, new Float64Array(length)]);
    return Object.fromEntries(entries) as Rows;
  }
}
