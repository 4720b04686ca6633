import type { Dataset, DatasetRow, DatasetWriter, Gap } from '../../history/index.ts';
import type { Clock } from '../../kernel/index.ts';

/** Most rows that wait for the disk, some 10 MB. Beyond this the recording has a gap. */
const WAITING_MAX = 100_000;

export interface RecordedRowsOptions {
  readonly writer: DatasetWriter;
  readonly clock: Clock;
  /** Told of each gap as it begins. */
  readonly onGap: (gap: { readonly id: string; readonly from: number; reason: string }) => void;
}

/** A gap that has not ended. */
interface OpenGap {
  readonly from: number;
  readonly reason: string;
  /** Whether it may yet turn out that nothing was missed. */
  readonly isDoubt: boolean;
}

/**
 * The rows of one dataset on their way to disk, and the gaps between them.
 *
 * A gap begins at the last row before it and ends with the first one after. While it is open, it is
 * on disk as lasting until now, so that it survives a crash.
 */
export class RecordedRows {
  readonly #options: RecordedRowsOptions;
  /** Gaps of earlier recordings. */
  readonly #before: readonly Gap[];
  readonly #ended: Gap[] = [];
  #open: OpenGap | undefined;
  #lastTime: number | undefined;
  #waiting: DatasetRow[] = [];
  #count = 0;
  /** Whether it is known what follows the rows of earlier recordings. */
  #hasBegun = false;
  #changed = false;

  constructor(options: RecordedRowsOptions) {
    this.#options = options;
    const { dataset } = options.writer;
    this.#before = dataset === undefined ? [] : gapsWithin(dataset);
    if (dataset === undefined) return;
    this.#lastTime = dataset.lastTime;
    this.#open = { from: dataset.lastTime, reason: 'nothing was recorded', isDoubt: true };
  }

  get id(): string {
    return this.#options.writer.id;
  }

  /** Rows that the dataset has got so far. */
  get count(): number {
    return this.#count;
  }

  /** Gaps so far, including an open one unless it is a doubt. */
  get gaps(): number {
    return this.#ended.length + (this.#open === undefined || this.#open.isDoubt ? 0 : 1);
  }

  /** The time of the last row, including earlier recordings. */
  get lastTime(): number | undefined {
    return this.#lastTime;
  }

  /** Whether there is no room for more rows until the disk has taken some. */
  get isFull(): boolean {
    return this.#waiting.length >= WAITING_MAX;
  }

  /** Takes a row; it ends the gap before it. */
  push(row: DatasetRow): void {
    if (this.#open !== undefined) this.#ended.push(endedAt(this.#open, Number(row[0])));
    this.#open = undefined;
    this.mark(row);
  }

  /** Takes a row that ends no gap: it marks one, lies within it, or revises a row before it. */
  mark(row: DatasetRow): void {
    const time = Number(row[0]);
    this.#lastTime = Math.max(time, this.#lastTime ?? time);
    this.#waiting.push(row);
    this.#hasBegun = true;
  }

  /** Rows may be missing from here on. Before the first row nothing can be. */
  lose(reason: string, { isDoubt = false } = {}): void {
    const from = this.#open?.from ?? this.#lastTime;
    if (from === undefined || (this.#open !== undefined && !this.#open.isDoubt)) return;
    this.#open = { from, reason, isDoubt };
    this.#changed = true;
    if (!isDoubt) this.#options.onGap({ id: this.id, from, reason });
  }

  /** Nothing is missing: the next rows are known to follow. */
  resume(): void {
    this.#hasBegun = true;
    if (this.#open === undefined) return;
    this.#open = undefined;
    this.#changed = true;
  }

  /** A silence is over, which hid nothing. */
  settle(): void {
    if (this.#open?.isDoubt === true && this.#hasBegun) this.resume();
  }

  /** Writes all rows to disk. @throws {HistoryError} when it does not take them. */
  async flush(): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0 && !this.#changed) return;
    this.#waiting = [];
    this.#changed = false;
    const open = this.#open;
    const now = this.#options.clock.now();
    const lasting = open === undefined ? [] : [endedAt(open, now)];
    const gaps = [...this.#before, ...this.#ended, ...lasting];
    this.#count += await this.#options.writer.add({ rows, gaps });
  }
}

function endedAt({ from, reason }: OpenGap, time: number): Gap {
  return { from, to: Math.max(from, time), reason };
}

/** The gaps before the last row. What follows it is a gap of its own until it is known. */
function gapsWithin({ gaps, lastTime }: Dataset): Gap[] {
  const begun = gaps.filter(({ from }) => from < lastTime);
  return begun.map((gap) => ({ ...gap, to: Math.min(gap.to, lastTime) }));
}
