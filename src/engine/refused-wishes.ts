import { type Intent, isStanding, type Refusal, type StandingWish } from '../domain/index.ts';
import type { Approved, Verdict } from '../risk/index.ts';

interface RefusedWish {
  readonly strategy: string;
  readonly intent: StandingWish;
  /** The codes of the newest refusals. */
  codes: ReadonlySet<string>;
  /** What of it stands: see `partsOf`. */
  parts: ReadonlySet<string>;
}

/** What comes of wishes that are put forward again. */
export interface RetryOutcome {
  /** Something of the wish passed that did not before: that is to stand now too. */
  readonly passed: (strategy: string, approved: Approved<Intent>) => void;
  /** It is refused for another reason than before. */
  readonly refused: (strategy: string, told: { market: string; refusal: Refusal }) => void;
}

/**
 * The standing wishes that risk refused, as a whole or in part. A strategy says each wish once: it
 * is put forward again until risk lets all of it pass (the data are fresh again, unknown orders are
 * found) or another replaces it; a target of wrong shape never passes. Single orders are single
 * attempts and are not kept.
 */
export class RefusedWishes {
  readonly #wishes = new Map<string, RefusedWish>();

  get isEmpty(): boolean {
    return this.#wishes.size === 0;
  }

  /**
   * A new wish takes the place of the one that was refused before. Answers with the codes of its
   * refusals: said again of the new wish they are no news.
   */
  replaceBy(strategy: string, intent: Intent): ReadonlySet<string> {
    if (this.isEmpty || !isStanding(intent)) return NONE;
    const key = keyOf(strategy, intent);
    const former = this.#wishes.get(key);
    this.#wishes.delete(key);
    return former?.codes ?? NONE;
  }

  keep(strategy: string, { intent, verdict }: { intent: Intent; verdict: Verdict }): void {
    if (!isStanding(intent)) return;
    const wish = { strategy, intent, codes: codesOf(verdict), parts: partsOf(verdict) };
    this.#wishes.set(keyOf(strategy, intent), wish);
  }

  /** The strategy is over. */
  drop(strategy: string): void {
    for (const [key, wish] of this.#wishes)
      if (wish.strategy === strategy) this.#wishes.delete(key);
  }

  /** Puts every wish forward again. */
  retry(ask: (strategy: string, intent: Intent) => Verdict, outcome: RetryOutcome): void {
    for (const [key, wish] of [...this.#wishes]) {
      const { strategy, intent, codes, parts } = wish;
      const { market } = intent;
      // What an earlier one, or this one, sets off may replace it.
      const stands = () => this.#wishes.get(key) === wish;
      if (!stands() || isHopeless(wish)) continue;
      const verdict = ask(strategy, intent);
      if (!stands()) continue;
      const { approved, refusals } = verdict;
      wish.codes = codesOf(verdict);
      wish.parts = parts.union(partsOf(verdict));
      if (refusals.length === 0) this.#wishes.delete(key);
      if (approved !== undefined && wish.parts.size > parts.size) {
        outcome.passed(strategy, approved);
      }
      for (const refusal of refusals) {
        if (!codes.has(refusal.code)) outcome.refused(strategy, { market, refusal });
      }
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

function codesOf({ refusals }: Verdict): ReadonlySet<string> {
  return new Set(refusals.map(({ code }) => code));
}

/** A name for each quote that passed, or for the target, by how far: two quotes alike have two. */
function partsOf({ approved }: Verdict): ReadonlySet<string> {
  const parts = new Set<string>();
  if (approved === undefined) return parts;
  const { value } = approved;
  if (value.kind === 'target') return parts.add(`target ${value.position}`);
  if (value.kind !== 'quotes') return parts;
  for (const side of ['bids', 'asks'] as const) {
    for (const { price, amount } of value[side]) {
      let part = `${side} ${amount} at ${price}`;
      while (parts.has(part)) part += ' again';
      parts.add(part);
    }
  }
  return parts;
}

function isHopeless({ intent, codes }: RefusedWish): boolean {
  return intent.kind === 'target' && codes.has('shape');
}

/** Quotes and targets of a market replace each other. */
function keyOf(strategy: string, { market }: StandingWish): string {
  return `${market} ${strategy}`;
}
