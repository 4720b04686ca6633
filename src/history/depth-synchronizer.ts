import type {
  Level,
  LevelChange,
  RecordedBook,
  RecordedGap,
  RecordedLevels,
} from '../domain/index.ts';

interface Stamps {
  readonly time: number;
  readonly receivedTime?: number;
}

/** A whole book as of one update of the exchange. */
export interface DepthSnapshot extends Stamps {
  readonly lastUpdateId: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** The changes of the updates `firstUpdateId` to `lastUpdateId`. */
export interface DepthDiff extends Stamps {
  readonly firstUpdateId: number;
  readonly lastUpdateId: number;
  /** The last update of the diff before; futures only, because their ids skip numbers. */
  readonly previousUpdateId?: number;
  readonly changes: readonly LevelChange[];
}

export type DepthRecord = RecordedBook | RecordedLevels | RecordedGap;

/** The book that a recording begins with, as of an update. */
export interface BookAt {
  readonly updateId: number;
  /** No diff was applied since its snapshot: the next one may overlap it. */
  readonly isFresh: boolean;
}

/**
 * What is known of the book before the first message: there is `none` yet; it is `missing` since a
 * recorded gap; there is one whose update is `untold`; or there is one as of an update.
 */
export type DepthStart = 'none' | 'missing' | 'untold' | BookAt;

export interface SynchronizerOptions {
  /** Default: none. */
  readonly start?: DepthStart | undefined;
  /**
   * Called when diffs begin to wait for a first snapshot: a gap that is recorded later begins here.
   */
  readonly onWait?: (() => void) | undefined;
}

/** Diffs kept while no snapshot is known: 17 minutes at ten a second. The oldest go first. */
export const BUFFERED_DIFFS_MAX = 10_000;

/** The update of a book whose update nobody knows. Every comparison with it is false. */
const UNTOLD = Number.NaN;

/** The reason of a gap behind rows of another source, or of an earlier version. */
export const UNTOLD_UPDATE = 'nothing tells which update the book before is of';

/** The reason of a gap where there was no book before. */
export const NO_SNAPSHOT = 'depth changes have no snapshot to start from';

/**
 * Joins a snapshot and the diffs around it to one stream of depth without holes.
 *
 * The rule is Binance's own ("How to manage a local order book correctly"). Diffs up to the
 * snapshot's update are dropped. Spot: the first diff used spans the update after the snapshot, each
 * further one starts right after the one before. Futures: the first diff used spans the snapshot's
 * update or names it, each further one names the one before. Where a diff breaks that rule, a gap is
 * recorded, and diffs wait for the next snapshot. A snapshot of a later update than the book's is
 * held until the next diff shows whether updates between them are missing.
 */
export class DepthSynchronizer {
  readonly #onWait: () => void;
  #waiting: DepthDiff[] = [];
  /** The last update applied; undefined while there is no book. */
  #updateId: number | undefined;
  /** No diff was applied since the snapshot: the next one may overlap it. */
  #fresh = false;
  /** The gap that the waiting diffs belong to is recorded. */
  #missing = false;
  #held: DepthSnapshot | undefined;
  #leftOut = 0;

  constructor({ start = 'none', onWait = () => {} }: SynchronizerOptions = {}) {
    this.#onWait = onWait;
    this.#missing = start === 'missing';
    if (start === 'untold') this.#updateId = UNTOLD;
    if (typeof start === 'object') ({ updateId: this.#updateId, isFresh: this.#fresh } = start);
  }

  /** The book as it is now; undefined where there is none, or nobody knows its update. */
  get book(): BookAt | undefined {
    const updateId = this.#updateId;
    if (updateId === undefined || Number.isNaN(updateId)) return undefined;
    return { updateId, isFresh: this.#fresh };
  }

  /** Changes of levels that were left out in recorded gaps. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Takes a snapshot; one that is no newer than the book is ignored. */
  snapshot(snapshot: DepthSnapshot): DepthRecord[] {
    const updateId = this.#updateId;
    if (updateId !== undefined && snapshot.lastUpdateId <= updateId) return [];
    if (updateId === undefined || this.#fresh) return this.#begin(snapshot);
    if (this.#held === undefined && !Number.isNaN(updateId)) {
      this.#held = snapshot;
      return [];
    }
    // After a second snapshot without a diff in between, nothing shows that no update is missing.
    const gap = gapAt(snapshot, missing(updateId, snapshot.lastUpdateId));
    return [gap, ...this.#begin(snapshot)];
  }

  /** Takes the next diff. */
  diff(diff: DepthDiff): DepthRecord[] {
    if (this.#updateId === undefined) return this.#keep(diff);
    if (this.#held !== undefined) return this.#release(this.#held, diff);
    if (this.#fresh && diff.lastUpdateId <= this.#updateId) return [];
    if (!this.#continues(diff, this.#updateId)) return this.#break(diff, this.#updateId);
    this.#updateId = diff.lastUpdateId;
    this.#fresh = false;
    return [{ kind: 'levels', ...stampsOf(diff), changes: diff.changes }];
  }

  /** At the end of a file: takes a held snapshot, which waits no longer. */
  endFile(): DepthRecord[] {
    return this.#held === undefined ? [] : this.#begin(this.#held);
  }

  /** At the end of a recording: records a gap for diffs that never had a snapshot. */
  end(): DepthRecord[] {
    const book = this.endFile();
    const [first] = this.#waiting;
    if (first === undefined) return book;
    const gap = this.#missing ? [] : [gapAt(first, NO_SNAPSHOT)];
    for (const diff of this.#waiting) this.#leftOut += diff.changes.length;
    this.#waiting = [];
    return [...book, ...gap];
  }

  #begin(snapshot: DepthSnapshot): DepthRecord[] {
    const { lastUpdateId, ...book } = snapshot;
    const [waiting, wasMissing] = [this.#waiting, this.#missing];
    this.#updateId = lastUpdateId;
    this.#fresh = true;
    this.#missing = false;
    this.#held = undefined;
    this.#waiting = [];
    if (wasMissing) {
      for (const diff of waiting) {
        if (diff.lastUpdateId <= lastUpdateId) this.#leftOut += diff.changes.length;
      }
    }
    const after = waiting.flatMap((diff) => this.diff(diff));
    // The book stood before its first change, whatever the stamp that the snapshot was given.
    const first = after.find(({ kind }) => kind === 'levels')?.time ?? book.time;
    return [{ kind: 'book', ...book, time: Math.min(book.time, first) }, ...after];
  }

  /** The first diff after a snapshot that is ahead of the book. */
  #release(held: DepthSnapshot, diff: DepthDiff): DepthRecord[] {
    const updateId = this.#updateId!;
    const before = diff.previousUpdateId ?? diff.firstUpdateId - 1;
    this.#waiting = [diff];
    if (before <= updateId) return this.#begin(held);
    const gap = gapAt(diff, missing(updateId, diff.firstUpdateId - 1));
    return [gap, ...this.#begin({ ...held, ...stampsOf(diff) })];
  }

  #continues(diff: DepthDiff, updateId: number): boolean {
    const { firstUpdateId, previousUpdateId } = diff;
    const isNext = (previousUpdateId ?? firstUpdateId - 1) === updateId;
    return isNext || (this.#fresh && firstUpdateId <= updateId);
  }

  #break(diff: DepthDiff, updateId: number): DepthRecord[] {
    this.#updateId = undefined;
    this.#missing = true;
    return [gapAt(diff, missing(updateId, diff.firstUpdateId - 1)), ...this.#keep(diff)];
  }

  #keep(diff: DepthDiff): DepthRecord[] {
    if (!this.#missing && this.#waiting.length === 0) this.#onWait();
    this.#waiting.push(diff);
    if (this.#waiting.length <= BUFFERED_DIFFS_MAX) return [];
    const first = this.#waiting.shift()!;
    this.#leftOut += first.changes.length;
    const gap = this.#missing ? [] : [gapAt(first, NO_SNAPSHOT)];
    this.#missing = true;
    return gap;
  }
}

/** Says which updates are missing between a book and what comes next. */
function missing(updateId: number, lastUpdateId: number): string {
  if (Number.isNaN(updateId)) return UNTOLD_UPDATE;
  const next = updateId + 1;
  return lastUpdateId < next
    ? `depth updates go back from ${updateId} to ${lastUpdateId + 1}`
    : `depth updates ${next} to ${lastUpdateId} are missing`;
}

function gapAt(stamps: Stamps, reason: string): RecordedGap {
  return { kind: 'gap', ...stampsOf(stamps), reason };
}

function stampsOf({ time, receivedTime }: Stamps): Stamps {
  return receivedTime === undefined ? { time } : { time, receivedTime };
}
