import { type Depth, midOf } from '../../domain/index.ts';

/** Remembers when the data of each market could last be traded on, whenever it is asked. */
export class DataAges {
  readonly #freshMs = new Map<string, number>();

  /**
   * Milliseconds since the market had data that could be traded on: 0 while it has; undefined: none
   * were seen so far.
   */
  ageMs(
    market: string,
    seen: { readonly isFresh: boolean; readonly depth: Depth | undefined; readonly nowMs: number },
  ): number | undefined {
    const { isFresh, depth, nowMs } = seen;
    const whole = depth !== undefined && midOf(depth) !== undefined ? depth.receivedTime : NEVER;
    const freshMs = Math.max(this.#freshMs.get(market) ?? NEVER, isFresh ? nowMs : NEVER, whole);
    if (freshMs === NEVER) return undefined;
    this.#freshMs.set(market, freshMs);
    return isFresh ? 0 : Math.max(0, nowMs - freshMs);
  }
}

const NEVER = Number.NEGATIVE_INFINITY;
