import { type Depth, midOf } from '../../domain/index.ts';

/** Remembers, each time it is asked, when the data of a market could last be traded on. */
export class DataAges {
  readonly #freshMs = new Map<string, number>();

  /**
   * Milliseconds since the market had data that could be traded on: 0 while it has, undefined if it
   * never had any.
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
