import { DAY_MS } from '../kernel/index.ts';

/** The number of the day in UTC that a time lies in, counted from the epoch. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** Tells when a day in UTC is over, to whoever counts by days. */
export class DayTurn {
  #day = Number.NEGATIVE_INFINITY;

  /** Whether that time is in another day than the one asked for before. The first time: true. */
  isNew(timeMs: number): boolean {
    const day = dayOf(timeMs);
    if (day === this.#day) return false;
    this.#day = day;
    return true;
  }
}
