import type { LevelChange, MarketRecord, RecordedGap } from '../../../domain/index.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { RowWriter } from './row-writer.ts';

/** The columns of staged depth, in their order. */
export const STAGED_DEPTH = [
  ...['file', 'row', 'time', 'received', 'update'],
  ...['event', 'side', 'price', 'amount'],
] as const;

/** The file number of rows that belong to no file: they come before those of all files. */
const NO_FILE = -1;

/** A row of depth: its number, or that of its update, and its stamps. */
export interface DepthRow {
  readonly update: number;
  readonly time: number;
  /** NaN where it is not known. */
  readonly received: number;
}

/** The rows of a dataset that new ones are to follow. */
export interface RowsBefore {
  /** The number of their last update. */
  readonly update: number;
  /** The last row; undefined where there is none. */
  readonly last?: DepthRow | undefined;
  /** The last row of a book. */
  readonly book?: DepthRow | undefined;
}

/** Where the row of a gap goes: right behind the last row that is known. */
interface Place {
  readonly file: number;
  readonly row: number;
  /** The stamps of the row before; undefined where nothing is known of the book yet. */
  readonly stamps: Pick<DepthRow, 'time' | 'received'> | undefined;
}

/** Writes records as rows of depth. */
export class DepthRows {
  /** Rows of each file. */
  readonly counts: number[] = [];
  readonly #writer: RowWriter;
  #update: number;
  #row = 0;
  #file = 0;
  #time: number;
  #received: number;
  #place: Place;
  #book: DepthRow | undefined;
  #lastTime = Number.NEGATIVE_INFINITY;

  constructor(writer: RowWriter, { update, last, book }: RowsBefore) {
    this.#writer = writer;
    this.#update = update;
    this.#time = last?.time ?? 0;
    this.#received = last?.received ?? Number.NaN;
    this.#place = { file: NO_FILE, row: 0, stamps: last };
    this.#book = book;
  }

  /** The last row of a book, written or before; undefined where there is none. */
  get book(): DepthRow | undefined {
    return this.#book;
  }

  /** The newest stamp of the exchange. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** The stamps of the newest row. */
  get last(): Pick<DepthRow, 'time' | 'received'> {
    return { time: this.#time, received: this.#received };
  }

  beginFile(file: number): void {
    this.#file = file;
    this.counts[file] = 0;
  }

  /** Gaps that are written from now on go here. */
  markPlace(): void {
    const stamps = { time: this.#time, received: this.#received };
    this.#place = { file: this.#file, row: ++this.#row, stamps };
  }

  /** A first gap that is written from now on goes here, with stamps of its own. */
  markWait(): void {
    this.#place = { file: this.#file, row: ++this.#row, stamps: undefined };
  }

  /** Writes a record that is no gap. One without a level leaves no row. */
  write(record: Exclude<MarketRecord, RecordedGap>): void {
    this.#time = record.time;
    this.#received = record.receivedTime ?? Number.NaN;
    if (record.time > this.#lastTime) this.#lastTime = record.time;
    const { snapshot, change, trade } = DEPTH_EVENTS;
    switch (record.kind) {
      case 'trade':
        this.#update++;
        this.#level(trade, [record.takerSide, record.price, record.amount]);
        return;
      case 'book': {
        if (record.bids.length + record.asks.length === 0) return;
        this.#update++;
        for (const [price, amount] of record.bids) this.#level(snapshot, ['buy', price, amount]);
        for (const [price, amount] of record.asks) this.#level(snapshot, ['sell', price, amount]);
        break;
      }
      case 'levels':
        if (record.changes.length === 0) return;
        this.#update++;
        for (const level of record.changes) this.#level(change, level);
        break;
      default:
        record satisfies never;
    }
    this.#book = { update: this.#update, time: this.#time, received: this.#received };
    this.markPlace();
  }

  /** Writes a gap right behind the last row that is known; returns its time. */
  writeGap(gap: RecordedGap): number {
    const { file, row, stamps } = this.#place;
    const { time, received } = stamps ?? {
      time: gap.time,
      received: gap.receivedTime ?? Number.NaN,
    };
    const cells = [file, row, time, received, ++this.#update, DEPTH_EVENTS.gap, 1, 0, 0];
    const at = this.#writer.nextRow();
    for (const [column, cell] of cells.entries()) this.#writer.columns[column]![at] = cell;
    if (file !== NO_FILE) this.counts[file]!++;
    return time;
  }

  close(): void {
    this.#writer.close();
  }

  #level(event: number, [side, price, amount]: LevelChange): void {
    const at = this.#writer.nextRow();
    const { columns } = this.#writer;
    columns[0]![at] = this.#file;
    columns[1]![at] = ++this.#row;
    columns[2]![at] = this.#time;
    columns[3]![at] = this.#received;
    columns[4]![at] = this.#update;
    columns[5]![at] = event;
    columns[6]![at] = side === 'buy' ? 1 : -1;
    columns[7]![at] = price;
    columns[8]![at] = amount;
    this.counts[this.#file]!++;
  }
}
