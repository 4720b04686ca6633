import { BoundedMap } from './bounded-map.ts';
import { MINUTE_MS } from './clock.ts';

/** A sentence told again within this time is a repeat. */
const REPEAT_MS = MINUTE_MS;
/** The most sentences that are remembered: they contain reasons, so they may differ without end. */
const TOLD_MAX = 1_000;

/** Remembers the sentences told within the last minute. */
export class ToldLately {
  #toldMs = new BoundedMap<string, number>(TOLD_MAX);

  /** Whether a sentence was told within the last minute. If not, it counts as told now. */
  isRepeat(what: string, nowMs: number): boolean {
    if (nowMs < (this.#toldMs.get(what) ?? Number.NEGATIVE_INFINITY) + REPEAT_MS) return true;
    this.#toldMs.set(what, nowMs);
    return false;
  }

  /** Forgets all sentences: none counts as a repeat. */
  clear(): void {
    this.#toldMs = new BoundedMap(TOLD_MAX);
  }
}
