import type { Refusal } from '../../domain/index.ts';
import { MINUTE_MS } from '../../kernel/index.ts';

/** Why an order was refused, and until when. */
export interface RefusalTerms {
  /** No order may leave before this time, whatever changes; undefined: not known. */
  readonly untilMs?: number | undefined;
  /** Own orders are in its way. Default: false. */
  readonly isCrossed?: boolean;
  /** What resting orders of its side leave too little of. Default: nothing. */
  readonly lacks?: Lack | undefined;
}

/** Room within limits, or free balance. */
export type Lack = 'room' | 'coins';

/** Numbers in a limit's text: those of a collar move with the price. */
const NUMBERS = /\d[\d.]*/g;

/** The last published refusal of one kind. */
interface Said {
  readonly words: string;
  readonly timeMs: number;
  /** The number of the round of pauses it belongs to: see `endPause`. */
  readonly round: number;
  /** Least time before a refusal of this kind with other numbers is published. */
  readonly pauseMs: number;
}

/** Remembers published refusals, so that the same text is published once. */
export class RefusalMemory {
  readonly #pauseMs: number;
  /** By kind: code, scope and limit without its numbers. */
  readonly #said = new Map<string, Said>();
  #round = 0;

  /**
   * `pauseMs`: least time between two refusals that differ only in the limit's numbers and the
   * observed value. It doubles up to a minute: an exit is tried far more often than anybody wants
   * to hear of it.
   */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** Whether the refusal is worth publishing; if so it counts as published. */
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

  /**
   * There are new prices: a refusal at the old ones does not keep the next from being published.
   */
  endPause(): void {
    this.#round++;
  }

  /** An order passed: the next refusal is news. */
  clear(): void {
    if (this.#said.size > 0) this.#said.clear();
  }
}
