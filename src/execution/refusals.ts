import type { Refusal } from '../domain/index.ts';

const NEVER = Number.NEGATIVE_INFINITY;

/** Remembers what was refused, so that the same words are said once. */
export class RefusalMemory {
  readonly #pauseMs: number;
  readonly #said = new Map<string, { readonly observed: string; readonly timeMs: number }>();

  /** `pauseMs`: least time between two refusals that differ only in what was seen. */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** Whether it is worth saying; if so it counts as said. */
  isNews({ code, scope, limit, observed }: Refusal, nowMs: number): boolean {
    const key = `${code} ${scope} ${limit}`;
    const said = this.#said.get(key);
    if (said !== undefined) {
      if (said.observed === observed || nowMs < said.timeMs + this.#pauseMs) return false;
    }
    this.#said.set(key, { observed, timeMs: nowMs });
    return true;
  }

  /** There is something new to be seen: what was seen last is no measure any more. */
  endPause(): void {
    for (const [key, { observed }] of this.#said) this.#said.set(key, { observed, timeMs: NEVER });
  }

  /** An order passed: the next refusal is news. */
  clear(): void {
    if (this.#said.size > 0) this.#said.clear();
  }
}
