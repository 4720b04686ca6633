import type { Refusal } from '../../domain/index.ts';
import { MINUTE_MS } from '../../kernel/index.ts';

/** Until when an order may not leave, and why. */
export interface RefusalTerms {
  /** No order may leave before, whatever changes; undefined: nobody knows when one may. */
  readonly untilMs?: number | undefined;
  /** Own orders are in its way. Default: false. */
  readonly isCrossed?: boolean;
  /** What orders at rest on its side leave too little of. Default: nothing. */
  readonly lacks?: Lack | undefined;
}

/** Room within limits, or what is free of the balance. */
export type Lack = 'room' | 'coins';

/** Numbers in a limit: that of a collar moves with the price. */
const NUMBERS = /\d[\d.]*/g;

/** What was said last of one kind. */
interface Said {
  readonly words: string;
  readonly timeMs: number;
  /** How often pauses had been ended by then. */
  readonly round: number;
  /** Least time until other words of the kind are said. */
  readonly pauseMs: number;
}

/** Remembers what was refused, so that the same words are said once. */
export class RefusalMemory {
  readonly #pauseMs: number;
  /** By what was refused, whatever the numbers. */
  readonly #said = new Map<string, Said>();
  #round = 0;

  /**
   * `pauseMs`: least time between two refusals that differ only in numbers and in what was seen. It
   * doubles up to a minute: an exit is tried far more often than anybody wants to hear of it.
   */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** Whether it is worth saying; if so it counts as said. */
  isNews({ code, scope, limit, observed }: Refusal, nowMs: number): boolean {
    const key = `${code} ${scope} ${limit.replace(NUMBERS, '0')}`;
    const words = `${limit} ${observed}`;
    const said = this.#said.get(key);
    if (said !== undefined) {
      const isPausing = said.round === this.#round && nowMs < said.timeMs + said.pauseMs;
      if (said.words === words || isPausing) return false;
    }
    const longerMs = said === undefined ? 0 : Math.min(MINUTE_MS, 2 * said.pauseMs);
    const pauseMs = Math.max(this.#pauseMs, longerMs);
    this.#said.set(key, { words, timeMs: nowMs, round: this.#round, pauseMs });
    return true;
  }

  /** There are new prices: a refusal by the last ones does not keep the next from being told. */
  endPause(): void {
    this.#round++;
  }

  /** An order passed: the next refusal is news. */
  clear(): void {
    if (this.#said.size > 0) this.#said.clear();
  }
}
