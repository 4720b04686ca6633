import { DAY_MS } from '../kernel/index.ts';

/** The number of the day in UTC that a time lies in, counted from the epoch. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}
