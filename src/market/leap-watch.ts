import { type Clock, dateMs, elapsedMs, formatMoment } from '../kernel/index.ts';
import type { Gap } from './source.ts';

export interface LeapWatchOptions<T> {
  readonly clock: Clock;
  /** How far ahead of our date, or of the stamps before it, a stamp may be, milliseconds. */
  readonly aheadMaxMs: number;
  /** The regular distance between two successive stamps, milliseconds. Default: 0. */
  readonly stepMs?: number;
  /** The exchange's stamp, milliseconds since the epoch. */
  readonly timeOf: (record: T) => number;
  readonly nameOf: (record: T) => string;
  /**
   * Called with the newest record left out, its name as `before`; not twice in a row for a name.
   */
  readonly onLeap: (leap: Gap) => void;
  /** Called when stamps follow our date again after some far ahead of it were believed. */
  readonly onReturn?: () => void;
}

/**
 * Leaves out records stamped far ahead of our date: after one of them all right ones would be late.
 *
 * Our date may be wrong, and rehearsed exchanges live in another time. So the first record is
 * believed; so are all while the exchange's time is far ahead of ours; and so is a leap, once
 * stamps have gone on from it for `aheadMaxMs` without a right one in between.
 */
export class LeapWatch<T> {
  readonly #options: LeapWatchOptions<T>;
  #newestTime = Number.NEGATIVE_INFINITY;
  #newestName = '';
  /** When the newest stamp arrived, by elapsed time. */
  #heardMs = 0;
  /** The first stamp of those left out in a row, and when it arrived, by elapsed time. */
  #leap: { readonly time: number; readonly sinceMs: number } | undefined;
  #toldName: string | undefined;

  constructor(options: LeapWatchOptions<T>) {
    this.#options = options;
  }

  /** The records of an answer or a push, oldest first, without those that leap. */
  sift(records: readonly T[]): readonly T[] {
    if (records.length === 0) return records;
    const { aheadMaxMs, clock, onReturn, timeOf } = this.#options;
    const boundTime = dateMs(clock) + aheadMaxMs;
    const isElsewhere = this.#newestTime > boundTime;
    const isAhead = records.some((record) => timeOf(record) > boundTime);
    if (isAhead && !isElsewhere) return this.#judge(records, boundTime);
    const isBack = isElsewhere && !isAhead;
    if (isBack) this.#newestTime = Number.NEGATIVE_INFINITY;
    this.#leap = undefined;
    this.#follow(records);
    if (isBack) onReturn?.();
    return records;
  }

  #judge(records: readonly T[], boundTime: number): readonly T[] {
    const { aheadMaxMs, clock, stepMs = 0, timeOf } = this.#options;
    const formerTime = this.#newestTime;
    const sound = records.filter((record) => {
      const passedMs = elapsedMs(clock) - this.#heardMs;
      const reachTime = this.#newestTime + passedMs + stepMs + aheadMaxMs;
      const isSound = timeOf(record) <= Math.max(boundTime, reachTime);
      if (isSound) this.#follow([record]);
      return isSound;
    });
    if (this.#newestTime > formerTime) this.#leap = undefined;
    if (sound.length === records.length) return records;
    const isFirst = this.#newestTime === Number.NEGATIVE_INFINITY;
    const last = records.findLast((record) => !sound.includes(record))!;
    if (!isFirst && !this.#goesOn(timeOf(last))) {
      this.#tell(last);
      return sound;
    }
    this.#leap = undefined;
    this.#follow(records);
    return records;
  }

  /** Whether stamps have gone on from a leap for long enough. */
  #goesOn(time: number): boolean {
    const { aheadMaxMs, clock } = this.#options;
    const nowMs = elapsedMs(clock);
    this.#leap ??= { time, sinceMs: nowMs };
    return time > this.#leap.time && nowMs - this.#leap.sinceMs >= aheadMaxMs;
  }

  #follow(records: readonly T[]): void {
    const { clock, nameOf, timeOf } = this.#options;
    for (const record of records) {
      const time = timeOf(record);
      if (time < this.#newestTime) continue;
      if (time > this.#newestTime) this.#heardMs = elapsedMs(clock);
      this.#newestTime = time;
      this.#newestName = nameOf(record);
    }
  }

  #tell(record: T): void {
    const { nameOf, onLeap, timeOf } = this.#options;
    const before = nameOf(record);
    if (before === this.#toldName) return;
    this.#toldName = before;
    const reason = `it is stamped ${momentOf(timeOf(record))}, far ahead of our date, and left out`;
    onLeap({ after: this.#newestName, before, reason });
  }
}

/** A stamp in words; it may be beyond the dates that JavaScript knows. */
function momentOf(time: number): string {
  return Number.isNaN(new Date(time).getTime()) ? String(time) : formatMoment(time);
}
