import { type Clock, dateMs, elapsedMs, formatMoment } from '../kernel/index.ts';
import type { Gap } from './source.ts';

export interface LeapWatchOptions<T> {
  readonly clock: Clock;
  /** How far ahead of our date, or of what was heard, a stamp may be, milliseconds. */
  readonly aheadMaxMs: number;
  /** What lies between two records that follow each other, milliseconds. Default: 0. */
  readonly stepMs?: number;
  /** The exchange's stamp, milliseconds since the epoch. */
  readonly timeOf: (record: T) => number;
  readonly nameOf: (record: T) => string;
  /** Is told the newest of what was left out, its name as `before`, once in a row. */
  readonly onLeap: (leap: Gap) => void;
  /** Stamps are by our date again, behind such as were believed. */
  readonly onReturn?: () => void;
}

/**
 * Leaves out what is stamped far ahead of our date: all that is right would be late behind it.
 *
 * Dates may be wrong, and rehearsed exchanges live in another time. So what is heard first is
 * believed, all is while the exchange goes by another time than ours, and a leap is once stamps have
 * gone on from there for as long as they may be ahead, with no right one in between.
 */
export class LeapWatch<T> {
  readonly #options: LeapWatchOptions<T>;
  #newestTime = Number.NEGATIVE_INFINITY;
  #newestName = '';
  /** When that was heard, by elapsed time. */
  #heardMs = 0;
  /** The first stamp of a row that was left out, and when that was, by elapsed time. */
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

  /** Whether stamps have gone on behind a leap for long enough. */
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

/** Stamps may be beyond all dates that JavaScript knows. */
function momentOf(time: number): string {
  return Number.isNaN(new Date(time).getTime()) ? String(time) : formatMoment(time);
}
