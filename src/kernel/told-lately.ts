import { BoundedMap } from './bounded-map.ts';
import { MINUTE_MS } from './clock.ts';

/** What is told again within this time is no news. */
const REPEAT_MS = MINUTE_MS;
/** Sentences that are remembered: reasons in them may be any. */
const TOLD_MAX = 1_000;

/** Knows what was told within the last minute. */
export class ToldLately {
  #toldMs = new BoundedMap<string, number>(TOLD_MAX);

  /** Whether that was told within the last minute; where it was not, it is told now. */
  isRepeat(what: string, nowMs: number): boolean {
    if (nowMs < (this.#toldMs.get(what) ?? Number.NEGATIVE_INFINITY) + REPEAT_MS) return true;
    this.#toldMs.set(what, nowMs);
    return false;
  }

  /** Forgets all: whatever comes is news. */
  clear(): void {
    this.#toldMs = new BoundedMap(TOLD_MAX);
  }
}
