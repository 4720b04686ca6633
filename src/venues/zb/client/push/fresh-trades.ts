import type { Trade } from '../../../../domain/index.ts';
import { BoundedMap } from '../../../../kernel/index.ts';

/** Identifiers remembered; a frame repeats at most the newest 50 trades (contract, trades). */
const REMEMBERED = 2_000;

/**
 * Leaves out trades that were seen before: a new subscription begins with known ones.
 *
 * It compares with all ids seen, not with the highest one: a late trade is still new.
 */
export class FreshTrades {
  readonly #seen = new BoundedMap<string, true>(REMEMBERED);

  /** The trades not seen before, in their order. */
  of(trades: readonly Trade[]): readonly Trade[] {
    return trades.filter(({ id }) => this.#isFresh(id));
  }

  #isFresh(id: string): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.set(id, true);
    return true;
  }
}
