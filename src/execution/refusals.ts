import type { Refusal } from '../domain/index.ts';

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

  /** An order passed: the next refusal is news. */
  clear(): void {
    if (this.#said.size > 0) this.#said.clear();
  }
}
