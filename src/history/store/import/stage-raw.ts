import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { MarketRecord, RecordedTrade } from '../../../domain/index.ts';
import { messageOf } from '../../../kernel/index.ts';
import { plainBytes } from '../../bytes.ts';
import type { BookAt, DepthDiff } from '../../depth-synchronizer.ts';
import { HistoryError } from '../../errors.ts';
import { type Line, linesOf } from '../../lines.ts';
import { type RawMessage, RawReader, readRawMessage } from '../../raw.ts';
import type { Stamps } from '../commit/depth-ends.ts';
import { GapLog, type LoggedGap } from '../commit/gap-log.ts';
import { type Heard, SOON_MS, textOf, wasHeardElsewhere } from '../commit/heard.ts';
import { comesBehind, type FirstStamps, type RawJoin } from '../commit/raw-join.ts';
import type { Database } from '../database.ts';
import type { Interruptible } from '../interruption.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { BookMark } from '../manifest.ts';
import { DepthRows, STAGED_DEPTH } from '../staging/depth-rows.ts';
import { RowWriter } from '../staging/row-writer.ts';
import { STAGED } from '../staging/staging.ts';

const RECORDED = 'recorded';

/** The reason of a gap between the rows and those of the dataset that follow. */
export const NOT_FOLLOWED = 'what comes behind does not go on with the book';

/** The result of staging raw recordings. */
export interface StagedRaw {
  /** Where their book is not known. The first gap may have begun before them. */
  readonly gaps: readonly LoggedGap[];
  /** The book that each file ends with; undefined where there is none. */
  readonly books: readonly (BookMark | undefined)[];
  readonly counts: readonly number[];
  /** The last row of each file. */
  readonly ends: readonly Stamps[];
  /** Whether the dataset that follows them has a row of theirs too, heard by another recorder. */
  readonly repeatsNext: boolean;
}

/** Rows of the dataset that follow. */
export interface RowsBehind {
  readonly goOn: boolean;
  /** When their first whole book comes, else their last time, milliseconds since the epoch. */
  readonly bookTime: number;
}

/** Raw recordings of one market, in their order. */
export interface RawToStage extends Interruptible {
  readonly files: readonly string[];
  readonly join: RawJoin;
  /** Finds the rows of the dataset that follow the staged ones; undefined if there are none. */
  readonly behind: (end: StagedEnd) => Promise<RowsBehind | undefined>;
}

export interface StagedEnd {
  readonly table: string;
  /** The exchange's newest stamp, and the recorder's of the last row. */
  readonly last: Stamps;
  readonly book: BookAt | undefined;
}

/**
 * Stages raw recordings of one market, one after the other: the book goes on from the dataset to
 * the first file and from file to file.
 *
 * @throws {HistoryError} naming file and line, when one can't be read.
 */
export async function stageRaw(
  database: Database,
  { files, join, behind, signal }: RawToStage,
): Promise<StagedRaw> {
  const columns = STAGED_DEPTH.map((name) => `"${name}" DOUBLE`).join(', ');
  await database.run(`CREATE OR REPLACE TABLE ${RECORDED} (${columns})`);
  const writer = await RowWriter.to(database, RECORDED);
  const stage = new RawStage(writer, join);
  for (const [file, path] of files.entries()) await readFile(path, { stage, file, signal });
  writer.flush();
  stage.end(await behind({ table: RECORDED, last: stage.last, book: stage.book }));
  await database.run(`INSERT INTO ${STAGED} BY NAME SELECT * FROM ${RECORDED}`);
  await database.run(`DROP TABLE ${RECORDED}`);
  return stage;
}

/**
 * The stamps of the first trade or change in a raw recording, with the messages soon behind it;
 * without either, those of its first snapshot.
 */
export async function firstStampsOf(path: string, stop: Interruptible): Promise<FirstStamps> {
  let snapshot: Stamps | undefined;
  const soon: Heard[] = [];
  await eachLine({ path, ...stop }, ({ text }) => {
    const message = readRawMessage(text);
    if (message.kind === 'snapshot') snapshot ??= stampsOf(message.snapshot);
    const stamped = stampedIn(message);
    if (stamped === undefined) return undefined;
    const heard = { ...stampsOf(stamped), content: contentOf(stamped) };
    if (!isSoon(heard, soon[0] ?? heard)) return heard;
    soon.push(heard);
    return undefined;
  });
  const never = { time: Number.POSITIVE_INFINITY, received: Number.NaN };
  const [first = snapshot ?? never] = soon;
  return { ...first, soon: soon.length === 0 ? [{ ...first, content: undefined }] : soon };
}

/**
 * Whether a message is soon behind the first, by both clocks: one may stand still or be set back.
 */
function isSoon({ time, received }: Stamps, first: Stamps): boolean {
  return Math.abs(received - first.received) < SOON_MS && Math.abs(time - first.time) < SOON_MS;
}

interface Pass extends Interruptible {
  readonly stage: RawStage;
  readonly file: number;
}

async function readFile(path: string, { stage, file, signal }: Pass): Promise<void> {
  stage.beginFile(file);
  await eachLine({ path, signal }, (line) => stage.read(line));
  stage.endFile();
}

interface FileToRead extends Interruptible {
  readonly path: string;
}

/**
 * Calls `work` with each line until it returns something. @throws {HistoryError} naming the line.
 */
async function eachLine<T>(
  { path, signal }: FileToRead,
  work: (line: Line) => T,
): Promise<T | undefined> {
  let line: Line | undefined;
  try {
    for await (const lines of linesOf(plainBytes(createReadStream(path, { signal })))) {
      for (line of lines) {
        const answer = work(line);
        if (answer !== undefined) return answer;
      }
      line = undefined;
    }
  } catch (thrown) {
    const place = line === undefined ? basename(path) : `${basename(path)}:${line.number}`;
    const what = `Cannot read recording: ${place}: ${messageOf(thrown)}`;
    throw new HistoryError(what, { cause: thrown });
  }
  return undefined;
}

/** Raw recordings on their way to the staging table. */
class RawStage implements StagedRaw {
  readonly books: (BookMark | undefined)[] = [];
  readonly ends: Stamps[] = [];
  repeatsNext = false;
  readonly #rows: DepthRows;
  readonly #reader: RawReader;
  readonly #join: RawJoin;
  readonly #log: GapLog;
  #hasBook: boolean;
  /** The dataset has what comes from here on. */
  #isOver = false;

  constructor(writer: RowWriter, join: RawJoin) {
    this.#rows = new DepthRows(writer, join.before);
    this.#reader = new RawReader({ ...join.start, onWait: () => this.#rows.markWait() });
    this.#join = join;
    this.#log = new GapLog(join.openGap);
    const { depth = 'none' } = join.start;
    this.#hasBook = depth !== 'none' && depth !== 'missing';
  }

  get gaps(): readonly LoggedGap[] {
    return this.#log.gaps;
  }

  get counts(): readonly number[] {
    return this.#rows.counts;
  }

  /** The exchange's newest stamp, and the recorder's of the last row. */
  get last(): Stamps {
    return { time: this.#rows.lastTime, received: this.#rows.last.received };
  }

  get book(): BookAt | undefined {
    return this.#reader.book;
  }

  beginFile(file: number): void {
    this.#rows.beginFile(file);
  }

  read(line: Line): void {
    if (this.#isOver) this.#refuseBehind(line);
    else for (const record of this.#reader.read(line)) this.#take(record);
  }

  endFile(): void {
    for (const record of this.#reader.endFile()) this.#take(record);
    if (this.#hasBook) this.#rows.markPlace();
    this.ends.push(this.#rows.last);
    const { book } = this.#rows;
    const known = this.#isOver ? undefined : this.#reader.book;
    if (book === undefined || known === undefined) this.books.push(undefined);
    else {
      const { updateId, isFresh: isWhole } = known;
      this.books.push({ update: book.update, time: book.time, updateId, isWhole });
    }
  }

  end(behind: RowsBehind | undefined): void {
    const { time } = this.last;
    for (const record of this.#reader.end()) this.#take(record);
    if (behind?.goOn === false && this.#hasBook) {
      this.#keep({ kind: 'gap', time, reason: NOT_FOLLOWED });
    }
    this.#log.end(behind?.bookTime ?? Math.max(time, this.#reader.lastTime), this.#reader.leftOut);
    this.#rows.close();
  }

  #take(record: MarketRecord): void {
    const { next, known } = this.#join;
    if (next === undefined || record.time < next.firstTime) {
      this.#keep(record);
      return;
    }
    const heard = { ...stampsOf(record), content: contentOf(record) };
    if (wasHeardElsewhere(heard, next.contents)) this.repeatsNext = true;
    const isNew = !this.repeatsNext && comesBehind(next, heard);
    if (isNew || known === undefined) this.#keep(record);
    else this.#isOver = true;
  }

  #keep(record: MarketRecord): void {
    if (record.kind === 'gap') {
      this.#log.begin({ from: this.#rows.writeGap(record), reason: record.reason });
      this.#hasBook = false;
      return;
    }
    this.#rows.write(record);
    if (record.kind !== 'book') return;
    this.#log.end(record.time, this.#reader.leftOut);
    this.#hasBook = true;
  }

  /**
   * @throws {TypeError} when rows are left to be added behind the dataset, too, not only before it.
   */
  #refuseBehind({ text }: Line): void {
    const message = readRawMessage(text);
    const time = stampedIn(message)?.time ?? 0;
    const { last } = this.#join.known!;
    if (time <= last) return;
    const what = `it goes on behind ${new Date(last).toISOString()}, where the dataset ends`;
    throw new TypeError(`${what}, and began before it; --replace is wanted`);
  }
}

interface Stamped {
  readonly time: number;
  readonly receivedTime?: number;
}

function stampsOf({ time, receivedTime = Number.NaN }: Stamped): Stamps {
  return { time, received: receivedTime };
}

/** The content of a trade, or of the first level of a change of the book. */
function contentOf(record: MarketRecord | DepthDiff): string | undefined {
  const { time } = record;
  if ('changes' in record) {
    const [level] = record.changes;
    return level && textOf({ time, event: DEPTH_EVENTS.change, level });
  }
  if (record.kind !== 'trade') return undefined;
  const { takerSide, price, amount } = record;
  return textOf({ time, event: DEPTH_EVENTS.trade, level: [takerSide, price, amount] });
}

/** The trade or the diff of a message: they have a stamp of the exchange. */
function stampedIn(message: RawMessage): RecordedTrade | DepthDiff | undefined {
  if (message.kind === 'trade') return message.trade;
  return message.kind === 'diff' ? message.diff : undefined;
}
