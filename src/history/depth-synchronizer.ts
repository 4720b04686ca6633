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
  /** The last update of the diff before; futures only, whose ids skip. */
  readonly previousUpdateId?: number;
  readonly changes: readonly LevelChange[];
}

export type DepthRecord = RecordedBook | RecordedLevels | RecordedGap;

/** Diffs kept while no snapshot is known: 17 minutes at ten a second. The oldest go first. */
export const BUFFERED_DIFFS_MAX = 10_000;

/**
 * Joins a snapshot and the diffs around it to one stream of depth without holes.
 *
 * The rule is Binance's own ("How to manage a local order book correctly"). Spot: diffs up to the
 * snapshot's update are dropped, the first one used spans the update after it, each further one
 * starts right after the one before. Futures: the first one used spans the snapshot's update, each
 * further one names the one before. Where that breaks a gap is told, and diffs wait for the next
 * snapshot.
 */
export class DepthSynchronizer {
  #waiting: DepthDiff[] = [];
  /** The last update applied; undefined while there is no book. */
  #updateId: number | undefined;
  /** No diff was applied since the snapshot: the next one may overlap it. */
  #fresh = false;
  /** The gap that the waiting diffs belong to was told. */
  #missing = false;

  /** Whether there is a book, without holes so far. */
  get synchronized(): boolean {
    return this.#updateId !== undefined;
  }

  /** Diffs that wait for a snapshot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes a snapshot; one that is older than the book at hand says nothing new. */
  snapshot(snapshot: DepthSnapshot): DepthRecord[] {
    if (this.#updateId !== undefined && snapshot.lastUpdateId <= this.#updateId) return [];
    this.#updateId = snapshot.lastUpdateId;
    this.#fresh = true;
    this.#missing = false;
    const { lastUpdateId: _, ...book } = snapshot;
    const waiting = this.#waiting;
    this.#waiting = [];
    return [{ kind: 'book', ...book }, ...waiting.flatMap((diff) => this.diff(diff))];
  }

  /** Takes the next diff. */
  diff(diff: DepthDiff): DepthRecord[] {
    if (this.#updateId === undefined) {
      this.#keep(diff);
      return [];
    }
    if (this.#fresh && this.#isBefore(diff, this.#updateId)) return [];
    if (!this.#continues(diff, this.#updateId)) return this.#break(diff, this.#updateId);
    this.#updateId = diff.lastUpdateId;
    this.#fresh = false;
    return [{ kind: 'levels', ...stampsOf(diff), changes: diff.changes }];
  }

  /** At the end of a recording: tells of depth that never became a book. */
  end(): DepthRecord[] {
    const last = this.#waiting.at(-1);
    if (last === undefined || this.#missing) return [];
    const reason = `${this.#waiting.length} depth changes have no snapshot to start from`;
    return [{ kind: 'gap', ...stampsOf(last), reason }];
  }

  #isBefore(diff: DepthDiff, updateId: number): boolean {
    return diff.previousUpdateId === undefined
      ? diff.lastUpdateId <= updateId
      : diff.lastUpdateId < updateId;
  }

  #continues(diff: DepthDiff, updateId: number): boolean {
    const futures = diff.previousUpdateId !== undefined;
    if (!this.#fresh) {
      return futures ? diff.previousUpdateId === updateId : diff.firstUpdateId === updateId + 1;
    }
    const next = futures ? updateId : updateId + 1;
    return diff.firstUpdateId <= next && next <= diff.lastUpdateId;
  }

  #break(diff: DepthDiff, updateId: number): DepthRecord[] {
    this.#updateId = undefined;
    this.#missing = true;
    this.#keep(diff);
    const reason = `depth updates ${updateId + 1} to ${diff.firstUpdateId - 1} are missing`;
    return [{ kind: 'gap', ...stampsOf(diff), reason }];
  }

  #keep(diff: DepthDiff): void {
    if (this.#waiting.length >= BUFFERED_DIFFS_MAX) this.#waiting.shift();
    this.#waiting.push(diff);
  }
}

function stampsOf({ time, receivedTime }: Stamps): Stamps {
  return receivedTime === undefined ? { time } : { time, receivedTime };
}
