import { type Intent, isStanding, type Refusal, type StandingWish } from '../domain/index.ts';
import type { Approved, Verdict } from '../risk/index.ts';

interface RefusedWish {
  readonly strategy: string;
  readonly intent: StandingWish;
  /** The codes of the newest refusals. */
  codes: ReadonlySet<string>;
  /** The parts of the wish that stand: see `partsOf`. */
  parts: ReadonlySet<string>;
}

/** Callbacks for the outcome of retried wishes. */
export interface RetryOutcome {
  /** A part of the wish passed that did not before: it must stand now too. */
  readonly passed: (strategy: string, approved: Approved<Intent>) => void;
  /** The wish is refused for a new reason. */
  readonly refused: (strategy: string, told: { market: string; refusal: Refusal }) => void;
}

/**
 * The standing wishes that risk refused, as a whole or in part. A strategy says each wish once, so
 * a refused one is retried until risk lets all of it pass (data are fresh again, unknown orders are
 * found) or another wish replaces it. A target of wrong shape can never pass and is not retried.
 * Single orders are tried once and not kept.
 */
export class RefusedWishes {
  readonly #wishes = new Map<string, RefusedWish>();

  get isEmpty(): boolean {
    return this.#wishes.size === 0;
  }

  /**
   * Removes the refused wish that a new one replaces. Returns the codes of its refusals: the same
   * codes for the new wish are no news.
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

  /** Forgets the wishes of a strategy that is over. */
  drop(strategy: string): void {
    for (const [key, wish] of this.#wishes)
      if (wish.strategy === strategy) this.#wishes.delete(key);
  }

  /** Retries every wish. */
  retry(ask: (strategy: string, intent: Intent) => Verdict, outcome: RetryOutcome): void {
    for (const [key, wish] of [...this.#wishes]) {
      const { strategy, intent, codes, parts } = wish;
      const { market } = intent;
      // The effects of retrying an earlier wish, or this one, may have replaced it.
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

/**
 * A key for each quote that passed, or for the target with its position. Equal quotes get distinct
 * keys.
 */
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
