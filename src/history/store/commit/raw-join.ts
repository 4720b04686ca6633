import { type BookAt, type DepthStart, NO_SNAPSHOT } from '../../depth-synchronizer.ts';
import type { RawStart } from '../../raw.ts';
import type { Dataset } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { Gap } from '../manifest.ts';
import type { DepthRow, RowsBefore } from '../staging/depth-rows.ts';
import { STAGED } from '../staging/staging.ts';
import type { OverlapRule } from './commit.ts';
import {
  BOOK_OR_GAP,
  type FoundRow,
  firstStamps,
  isBehind,
  lastRow,
  type Moment,
  moment,
  NEVER,
  newestUpdate,
  type Stamps,
} from './depth-ends.ts';
import {
  contentsIn,
  contentsInDataset,
  type Heard,
  type HeardContents,
  rowsAgain,
  rowsSoon,
  spanOf,
  wasHeardElsewhere,
} from './heard.ts';
import type { Span } from './parts.ts';

/** Where rows of raw recordings join a dataset, and what is known there. */
export interface RawJoin {
  /** Whether all rows of the dataset come behind them; else those of before `cut` come ahead. */
  readonly isAhead: boolean;
  /** The first row of the dataset, if all come behind them. */
  readonly next?: Next | undefined;
  /** They arrived after all rows of the dataset, though some of their stamps may be earlier. */
  readonly isBehind: boolean;
  readonly cut: Moment;
  /** The span that the dataset covers already: rows of it are passed over. */
  readonly known?: Span | undefined;
  readonly start: RawStart;
  readonly before: RowsBefore;
  /** The gap that is open where they begin. */
  readonly openGap?: Gap | undefined;
  /** Rows from before `cut` that are removed: they told how the replaced rows joined. */
  readonly gone: readonly FoundRow[];
}

export interface RawToJoin {
  readonly dataset: Dataset | undefined;
  readonly first: FirstStamps;
  readonly overlap: OverlapRule;
}

/**
 * The stamps of the first message of a recording; `soon` are that message and those soon behind it.
 */
export interface FirstStamps extends Stamps {
  readonly soon: readonly Heard[];
}

/** The first message of a recording, and the dataset that it joins. */
interface BeginningRaw {
  readonly dataset: Dataset;
  readonly first: FirstStamps;
}

/** The first row of a dataset. */
export interface Next extends Stamps {
  /** The exchange's earliest stamp in the dataset, milliseconds since the epoch. */
  readonly firstTime: number;
  /** The dataset's contents of the time in which another recorder may have heard the same. */
  readonly contents: HeardContents;
}

/**
 * By how much the delays of one recorder's messages may differ. If they differ by more, two clocks
 * stamped them. Our choice; 0.2 s was seen.
 */
const LATE_MAX_MS = 1_000;

/** Most updates that are removed: a gap, and the book that ends it. */
const GONE_MAX = 2;

/** Looks up where rows of raw recordings are to join a dataset. */
export async function joinOf(database: Database, joining: RawToJoin): Promise<RawJoin> {
  const { dataset, first, overlap } = joining;
  const place = { isAhead: false, isBehind: false, cut: NEVER };
  const alone = { ...place, start: {}, before: { update: 0 }, gone: [] };
  if (dataset === undefined) return alone;
  const cut = overlap === 'replace' ? await cutAt(database, { dataset, first }) : NEVER;
  const isBehind = cut === NEVER && (await followsAll(database, { dataset, first }));
  const known =
    overlap === 'append' && !isBehind
      ? { first: dataset.firstTime, last: dataset.lastTime }
      : undefined;
  if (cut === NEVER && !isBehind && first.time < dataset.firstTime) {
    const all = { dataset, before: { time: Number.NEGATIVE_INFINITY } };
    const update = await newestUpdate(database, all);
    const next = await nextIn(database, dataset);
    return { ...alone, isAhead: true, next, known, before: { update } };
  }
  const lastTime = cut === NEVER ? dataset.lastTime : 0;
  const tail = await tailOf(database, { dataset, before: cut, gone: [] });
  const { depth, last, book, openGap, gone } = tail;
  const newest = await newestUpdate(database, { dataset, before: cut });
  const update = Math.max(newest, openGap?.update ?? 0);
  const start = {
    // The first change behind what is known may overlap it.
    depth: known !== undefined && typeof depth === 'object' ? { ...depth, isFresh: true } : depth,
    last: last && stampsOf(last, Math.max(last.time, openGap?.to ?? 0, lastTime)),
    knownUntil: known?.last,
  };
  return { ...alone, isBehind, cut, known, start, before: { update, last, book }, openGap, gone };
}

/**
 * Whether a recording arrived after all rows of a dataset. If the dataset contains what the
 * recording begins with, two recorders heard it, and the order in which two hear tells nothing.
 */
async function followsAll(database: Database, beginning: BeginningRaw): Promise<boolean> {
  const { dataset, first } = beginning;
  if (!comesBehind(first, await lastRow(database, { dataset }))) return false;
  return !(await repeats(database, beginning));
}

/** Whether a dataset contains, from another recorder, what a recording begins with. */
async function repeats(database: Database, { dataset, first }: BeginningRaw): Promise<boolean> {
  const contents = await contentsInDataset(database, dataset, spanOf(first.soon));
  return first.soon.some((message) => wasHeardElsewhere(message, contents));
}

/** Whether staged rows of former files contain, from another recorder, what a file begins with. */
export async function repeatsStaged(
  database: Database,
  { file, first }: { readonly file: number; readonly first: FirstStamps },
): Promise<boolean> {
  const before = `(FROM ${STAGED} WHERE file < ${file})`;
  const contents = await contentsIn(database, before, spanOf(first.soon));
  return first.soon.some((message) => wasHeardElsewhere(message, contents));
}

async function nextIn(database: Database, dataset: Dataset): Promise<Next> {
  const { firstTime } = dataset;
  const stamps = await firstStamps(database, dataset);
  const span = { first: firstTime, last: stamps.time + LATE_MAX_MS };
  return { ...stamps, firstTime, contents: await contentsInDataset(database, dataset, span) };
}

/** Rows that are to end within a dataset. */
export interface Ending {
  readonly dataset: Dataset | undefined;
  readonly join: RawJoin;
  /** The table of the rows that join. */
  readonly table: string;
  readonly last: Stamps;
}

/**
 * The end of rows that take the place of others: by the recorder's clock if they begin by it too,
 * and no other recorder heard what they end with.
 */
export async function endOf(
  database: Database,
  { dataset, join, table, last }: Ending,
): Promise<Moment> {
  const { time, received } = last;
  if (dataset === undefined || join.cut.received === undefined) return { time };
  const span = { first: time - LATE_MAX_MS, last: time };
  const { same, later } = await rowsAgain(database, { dataset, table, span, received });
  return same > 0 || later === 0 ? last : { time };
}

/** Whether a message came behind another, by the clock of a recorder that heard both. */
export function comesBehind(next: Stamps | undefined, last: Stamps | undefined): boolean {
  if (next === undefined || last === undefined) return false;
  return isOfOneClock(next, last) && next.received > last.received;
}

function isOfOneClock(one: Stamps, other: Stamps): boolean {
  return Math.abs(one.received - one.time - (other.received - other.time)) <= LATE_MAX_MS;
}

/**
 * The moment from which rows are replaced: by arrival if the recorder of the first message heard
 * them, else by the exchange's stamp. It heard them if some have exactly the same two stamps, or if
 * none arrived soon after that message and none has the same content.
 */
async function cutAt(database: Database, { dataset, first }: BeginningRaw): Promise<Moment> {
  const { time, received, soon } = first;
  const near = await lastRow(database, { dataset, before: { time: time + LATE_MAX_MS } });
  if (near === undefined || !isOfOneClock(first, near)) return { time };
  const { heard, same } = await rowsSoon(database, { dataset, first, soon });
  const isOwn = same > 0 || (heard === 0 && !(await repeats(database, { dataset, first })));
  return isOwn ? { time, received } : { time };
}

interface Tail extends Omit<RowsBefore, 'update'>, Pick<RawJoin, 'gone'> {
  readonly depth: DepthStart;
  /** The gap that is open, and the number of its row. */
  readonly openGap?: Gap & { readonly update: number };
}

interface TailToFind {
  readonly dataset: Dataset;
  /** Only rows from before this moment. */
  readonly before: Moment;
  readonly gone: readonly FoundRow[];
}

/**
 * What is known of the book behind rows of a dataset. A gap or a whole book at their very end,
 * right behind the book of an import, belongs to the rows that are replaced, although its stamp is
 * earlier than theirs: it is removed too.
 */
async function tailOf(database: Database, sought: TailToFind): Promise<Tail> {
  const { dataset, gone } = sought;
  const isKept = `NOT (${isOneOf(gone)})`;
  const last = await lastRow(database, { ...sought, where: isKept });
  const book = await lastRow(database, { ...sought, where: `${BOOK_OR_GAP} AND ${isKept}` });
  if (book === undefined) return { last, depth: 'none', gone: [] };
  const depth = bookAt(dataset, book);
  if (depth !== undefined) return { last, book, depth, gone };
  const isWhole = book.event !== DEPTH_EVENTS.change;
  if (isWhole && book.place === last?.place && gone.length < GONE_MAX) {
    const tail = await tailOf(database, { ...sought, gone: [...gone, book] });
    if (typeof tail.depth === 'object') return tail;
  }
  if (book.event !== DEPTH_EVENTS.gap) return { last, book, depth: 'untold', gone: [] };
  const { time, update } = book;
  const unnamed = { from: time, to: time, reason: NO_SNAPSHOT };
  const gap = dataset.gaps.findLast(({ from }) => from === time) ?? unnamed;
  return { last, depth: 'missing', openGap: { ...gap, update }, gone: [] };
}

/** The condition for rows of the same update as one of these. */
export function isOneOf(rows: readonly FoundRow[]): string {
  const all = rows.map(({ update, event, time }) => {
    return `("update" = ${update} AND event = ${event} AND time = ${moment(time)})`;
  });
  return all.length === 0 ? 'false' : all.join(' OR ');
}

/** The book behind a row; undefined where no import noted it. */
function bookAt({ sources }: Dataset, { update, time }: DepthRow): BookAt | undefined {
  const mark = sources.find(({ book }) => book?.update === update && book.time === time)?.book;
  return mark === undefined ? undefined : { updateId: mark.updateId, isFresh: mark.isWhole };
}

/** Both clocks at a time of the exchange's, by the stamps of a row. */
function stampsOf({ time, received }: DepthRow, atTime: number): RawStart['last'] {
  if (Number.isNaN(received)) return undefined;
  return { time: atTime, receivedTime: received + atTime - time };
}

/** The rows of a dataset that are to follow new ones, and the book that the new ones end with. */
export interface Followers {
  readonly dataset: Dataset;
  /** Rows up to this moment are replaced. */
  readonly after: Moment;
  readonly book: BookAt | undefined;
}

/**
 * Whether the rows that follow continue a book: they do if they followed one of the same update.
 */
export async function goOn(
  database: Database,
  { dataset, after, book }: Followers,
): Promise<boolean> {
  const where = `${BOOK_OR_GAP} AND NOT ${isBehind(after)}`;
  const row = await lastRow(database, { dataset, where });
  const known = row === undefined ? undefined : bookAt(dataset, row);
  return known !== undefined && known.updateId === book?.updateId;
}
