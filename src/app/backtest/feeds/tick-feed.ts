import type { VirtualClock } from '../../../kernel/index.ts';
import type { FillModel, Run } from '../../../sim/index.ts';
import type { Meters } from '../meters/meters.ts';
import { type RowFeed, TURNS } from './row-feed.ts';
import type { TimeSlice } from './time-slice.ts';

/** Columns of equal length, one of them the time of each row. */
type TickColumns<Rows> = { readonly [column in keyof Rows]: Float64Array } & {
  readonly time: Float64Array;
};

/** Rows on their way from the exchange to the strategies. */
export interface RowLine<Rows> {
  /** When the next run of rows arrives; infinite while none is under way. */
  readonly nextMs: number;
  /** The next run, and the columns that hold it. */
  readonly run: Run;
  readonly rows: Rows;
  push(rows: Rows, run: Run): void;
  /** The next run has arrived. */
  shift(): void;
  /** Copies the rows still under way: their columns are about to be reused. */
  keep(): void;
}

/** Tells strategies of rows. */
export interface RowTeller<Rows> {
  /** Called before a row happens that is heard at once. Default: nothing is to be told before. */
  before?(rows: Rows, at: number): void;
  hear(rows: Rows, run: Run): void;
  /** All rows of a moment were heard, and time moves on. */
  complete(): void;
}

export interface TickFeedOptions<Rows extends TickColumns<Rows>> {
  readonly market: string;
  readonly rows: AsyncIterable<Rows>;
  readonly clock: VirtualClock;
  readonly model: FillModel<Rows>;
  readonly teller: RowTeller<Rows>;
  /** Delays the rows on their way to strategies. Undefined: they are heard at once. */
  readonly line: RowLine<Rows> | undefined;
  /** How many rows of the source the first `end` rows of a chunk stand for. Default: `end`. */
  readonly countOf?: (rows: Rows, end: number) => number;
  /** The price that a chunk begins with; undefined when it has none. */
  readonly firstPrice: (rows: Rows) => number | undefined;
  /** What is wrong with the rows so far: whole sentences. */
  readonly findings: () => readonly string[];
  readonly missingMs: () => number;
  /** Takes every chunk as it is read. */
  readonly onChunk: (rows: Rows) => void;
  /** Takes the played rows of a chunk, those before `end`, for the chart. */
  readonly onPlayed: (rows: Rows, end: number) => void;
  /** Called once, when there is no further chunk. */
  readonly onEnd: () => void;
}

const NEVER = Number.POSITIVE_INFINITY;
const EMPTY: Float64Array = new Float64Array();

/**
 * Plays trades or rows of depth. Each happens at the exchange at its time and is heard then or,
 * with a latency, when it arrives. Nothing is asynchronous within a chunk.
 */
export class TickFeed<Rows extends TickColumns<Rows>> implements RowFeed {
  readonly market: string;
  /** Always the same turn, so that rows of one time keep the order in which they are read. */
  readonly nextTurn = TURNS.happening;
  readonly #options: TickFeedOptions<Rows>;
  readonly #chunks: AsyncIterator<Rows>;
  readonly #line: RowLine<Rows> | undefined;
  /** The run of rows that is played now; one object, reused. */
  readonly #run: Run = { at: 0, end: 0 };
  #columns: Rows | undefined;
  #at = 0;
  #times: Float64Array = EMPTY;
  /** The time of the next row; infinite where the chunk is over. */
  #rowMs = NEVER;
  #length = 0;
  #played = 0;
  #isOver = false;
  /** The moment that is being played. */
  #nowMs = Number.NEGATIVE_INFINITY;

  constructor(options: TickFeedOptions<Rows>) {
    this.#options = options;
    this.market = options.market;
    this.#chunks = options.rows[Symbol.asyncIterator]();
    this.#line = options.line;
  }

  get nextMs(): number {
    const lineMs = this.#line === undefined ? NEVER : this.#line.nextMs;
    const rowMs = this.#rowMs;
    if (rowMs < NEVER) return rowMs < lineMs ? rowMs : lineMs;
    // The next chunk may begin before the rows under way arrive: read it first.
    return this.#isOver ? lineMs : NEVER;
  }

  get rows(): number {
    return this.#played + this.#count(this.#at);
  }

  get missingMs(): number {
    return this.#options.missingMs();
  }

  get findings(): readonly string[] {
    return this.#options.findings();
  }

  get firstPrice(): number | undefined {
    return this.#columns === undefined ? undefined : this.#options.firstPrice(this.#columns);
  }

  async refill(): Promise<boolean> {
    this.#line?.keep();
    this.recordPlayed();
    this.#played += this.#count(this.#length);
    this.#at = 0;
    this.#columns = undefined;
    const next = await this.#chunks.next();
    if (next.done === true && !this.#isOver) this.#options.onEnd();
    this.#isOver = next.done === true;
    this.#columns = next.done === true ? undefined : next.value;
    this.#length = this.#columns?.time.length ?? 0;
    this.#times = this.#columns?.time ?? EMPTY;
    this.#rowMs = this.#length === 0 ? NEVER : this.#times[0]!;
    if (this.#columns !== undefined) this.#options.onChunk(this.#columns);
    return !this.#isOver || this.nextMs < NEVER;
  }

  recordPlayed(): void {
    if (this.#columns !== undefined) this.#options.onPlayed(this.#columns, this.#at);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  step(meters: Meters): void {
    const line = this.#line;
    // Rows happen before anything is heard at the same moment.
    if (line !== undefined && line.nextMs < this.#rowMs) this.#hear(line, meters);
    else this.#play(meters);
  }

  playAll(meters: Meters, slice: TimeSlice): void {
    for (let nextMs = this.nextMs; nextMs < NEVER; nextMs = this.nextMs) {
      if (nextMs > meters.dueMs) {
        this.settle();
        this.#pass(meters, nextMs);
      }
      this.step(meters);
      if (slice.isOver()) return;
    }
  }

  /** Serves the meters due before `nextMs`; answers and pushes heard by then count. */
  #pass(meters: Meters, nextMs: number): void {
    while (nextMs > meters.dueMs) {
      this.#options.clock.advanceTo(meters.dueMs);
      meters.passTo(nextMs);
    }
  }

  #count(end: number): number {
    const { countOf } = this.#options;
    return countOf === undefined || this.#columns === undefined ? end : countOf(this.#columns, end);
  }

  settle(): void {
    this.#options.teller.complete();
  }

  #play(meters: Meters): void {
    const columns = this.#columns!;
    const { clock, model, teller } = this.#options;
    const timeMs = this.#rowMs;
    const run = this.#run;
    run.at = this.#at;
    if (timeMs > this.#nowMs) this.#moveTo(timeMs);
    clock.advanceTo(timeMs);
    meters.catchUp(timeMs);
    if (this.#line === undefined) teller.before?.(columns, run.at);
    run.end = model.play(columns, run.at);
    this.#at = run.end;
    this.#rowMs = run.end < this.#length ? this.#times[run.end]! : NEVER;
    if (this.#line === undefined) teller.hear(columns, run);
    else this.#line.push(columns, run);
  }

  #hear(line: RowLine<Rows>, meters: Meters): void {
    const heardMs = line.nextMs;
    if (heardMs > this.#nowMs) this.#moveTo(heardMs);
    this.#options.clock.advanceTo(heardMs);
    meters.catchUp(heardMs);
    this.#options.teller.hear(line.rows, line.run);
    line.shift();
  }

  /** Ends the moment before, in which all that was heard is complete, and begins another. */
  #moveTo(timeMs: number): void {
    this.settle();
    this.#nowMs = timeMs;
  }
}
