import type { DepthColumns } from '../../../domain/index.ts';
import { DEPTH_EVENTS } from '../../../history/index.ts';
import { DelayLine, type Run } from '../../../sim/index.ts';
import type { Hearing } from '../hearing/hearing.ts';
import type { RowLatency } from '../hearing/latency.ts';
import type { RowLine } from './tick-feed.ts';

export interface DepthLineOptions {
  readonly columns: readonly (keyof DepthColumns)[];
  /** How long rows of the book and trades take until they are heard. */
  readonly bookMs: RowLatency;
  readonly tradesMs: RowLatency;
  /** When an unchanged book is heard again. */
  readonly book: Pick<Hearing, 'nextMs'>;
}

const NEVER = Number.POSITIVE_INFINITY;
/** The run of `#newest`, which is a single row. */
const NEWEST: Run = { at: 0, end: 1 };

/**
 * A market's book rows and trades on their way, each kind in its own order, since each is polled or
 * pushed separately. While the book does not change, its newest row is heard again, which changes
 * nothing but keeps a quiet book fresh.
 */
export class DepthLine implements RowLine<DepthColumns> {
  readonly #options: DepthLineOptions;
  readonly #book: DelayLine<DepthColumns>;
  readonly #trades: DelayLine<DepthColumns>;
  /** The newest row of the book that was heard, and when it is heard again. */
  readonly #newest: DepthColumns;
  #againMs = NEVER;
  /** The latest time among the rows pushed so far. */
  #lastTime = Number.NEGATIVE_INFINITY;
  #isOver = false;

  constructor(options: DepthLineOptions) {
    const { columns, bookMs, tradesMs } = options;
    this.#options = options;
    this.#book = new DelayLine<DepthColumns>({ columns, latencyMs: bookMs });
    this.#trades = new DelayLine<DepthColumns>({ columns, latencyMs: tradesMs });
    const one = columns.map((name) => [name, new Float64Array(1)]);
    this.#newest = Object.fromEntries(one) as unknown as DepthColumns;
  }

  get nextMs(): number {
    return Math.min(this.#trades.nextMs, this.#book.nextMs, this.#againMs);
  }

  get rows(): DepthColumns {
    return this.#next()?.rows ?? this.#newest;
  }

  get run(): Run {
    return this.#next()?.run ?? NEWEST;
  }

  push(rows: DepthColumns, { at, end }: Run): void {
    const isTrade = rows.event[at] === DEPTH_EVENTS.trade;
    let next = at + 1;
    while (next < end && (rows.event[next] === DEPTH_EVENTS.trade) === isTrade) next++;
    const [line, other] = isTrade ? [this.#trades, this.#book] : [this.#book, this.#trades];
    if (rows.time[at]! > this.#lastTime) {
      this.#lastTime = rows.time[at]!;
      other.passTime();
    }
    line.push(rows, { at, end: next });
    if (next < end) this.push(rows, { at: next, end });
  }

  keep(): void {
    this.#book.keep();
    this.#trades.keep();
  }

  shift(): void {
    const line = this.#next();
    if (line === this.#trades) {
      line.shift();
      return;
    }
    const heardMs = this.nextMs;
    if (line !== undefined) {
      this.#keep(line);
      line.shift();
    }
    const isKnown = this.#newest.event[0] !== DEPTH_EVENTS.gap;
    const isQuiet = this.#book.size === 0 && isKnown && !this.#isOver;
    this.#againMs = isQuiet ? this.#options.book.nextMs(heardMs) : NEVER;
  }

  /** No further row comes: rows on their way are still heard, but none is repeated after them. */
  end(): void {
    this.#isOver = true;
    if (this.#book.size === 0) this.#againMs = NEVER;
  }

  /** The line whose row is next; undefined where the newest row is heard again. */
  #next(): DelayLine<DepthColumns> | undefined {
    const { nextMs } = this;
    if (this.#trades.nextMs === nextMs) return this.#trades;
    return this.#book.nextMs === nextMs ? this.#book : undefined;
  }

  #keep({ rows, run }: DelayLine<DepthColumns>): void {
    for (const name of this.#options.columns) {
      (this.#newest[name] as Float64Array)[0] = rows[name]![run.end - 1]!;
    }
  }
}
