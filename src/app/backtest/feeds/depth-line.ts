import type { DepthColumns } from '../../../domain/index.ts';
import { DEPTH_EVENTS } from '../../../history/index.ts';
import { DelayLine, type Run } from '../../../sim/index.ts';
import type { Hearing } from '../hearing/hearing.ts';
import type { RowLatency } from '../hearing/latency.ts';
import type { RowLine } from './tick-feed.ts';

export interface DepthLineOptions {
  readonly columns: readonly (keyof DepthColumns)[];
  /** How long rows of the book, and trades, are under way until they are heard. */
  readonly bookMs: RowLatency;
  readonly tradesMs: RowLatency;
  /** When the book is heard though nothing changed. */
  readonly book: Pick<Hearing, 'nextMs'>;
}

const NEVER = Number.POSITIVE_INFINITY;
/** The newest row stands alone. */
const NEWEST: Run = { at: 0, end: 1 };

/**
 * The rows of a market's book and its trades under way, each kind in its own order: they are asked
 * for apart. Where nothing changed the newest row of the book is heard once more, which changes
 * nothing either: so a quiet book stays known.
 */
export class DepthLine implements RowLine<DepthColumns> {
  readonly #options: DepthLineOptions;
  readonly #book: DelayLine<DepthColumns>;
  readonly #trades: DelayLine<DepthColumns>;
  /** The newest row of the book that was heard, and when it is again. */
  readonly #newest: DepthColumns;
  #againMs = NEVER;
  /** The latest time of a row that came. */
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

  /** No row comes any more: what is under way is heard, and nothing once more behind it. */
  end(): void {
    this.#isOver = true;
    if (this.#book.size === 0) this.#againMs = NEVER;
  }

  /** The line whose row is next; undefined where the newest one is heard again. */
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
