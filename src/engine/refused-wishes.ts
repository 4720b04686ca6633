import type { Intent, Refusal } from '../domain/index.ts';

/** A wish that stands until the strategy replaces it. */
type StandingWish = Extract<Intent, { readonly kind: 'quotes' | 'target' }>;

interface RefusedWish {
  readonly strategy: string;
  readonly intent: StandingWish;
  refusal: Refusal;
}

/**
 * The standing wishes that risk refused. A strategy says each wish once: it is put forward again
 * until risk lets it pass (the data are fresh again, unknown orders are found) or another replaces
 * it. Single orders are single attempts and are not kept.
 */
export class RefusedWishes {
  readonly #wishes = new Map<string, RefusedWish>();

  /** A new wish takes the place of the one that was refused before. */
  replaceBy(strategy: string, intent: Intent): void {
    if (isStanding(intent)) this.#wishes.delete(keyOf(strategy, intent));
  }

  keep(strategy: string, { intent, refusal }: { intent: Intent; refusal: Refusal }): void {
    if (!isStanding(intent)) return;
    this.#wishes.set(keyOf(strategy, intent), { strategy, intent, refusal });
  }

  /** The strategy is over. */
  drop(strategy: string): void {
    for (const [key, wish] of this.#wishes)
      if (wish.strategy === strategy) this.#wishes.delete(key);
  }

  /**
   * Puts every wish forward again. `ask` answers with the refusal or with undefined once it passed;
   * a refusal for another reason than before is handed to `refused`.
   */
  retry(
    ask: (strategy: string, intent: Intent) => Refusal | undefined,
    refused: (strategy: string, wish: { intent: Intent; refusal: Refusal }) => void,
  ): void {
    for (const [key, wish] of [...this.#wishes]) {
      const { strategy, intent } = wish;
      // What an earlier one, or this one, sets off may replace it.
      const stands = () => this.#wishes.get(key) === wish;
      if (!stands()) continue;
      const refusal = ask(strategy, intent);
      if (!stands()) continue;
      if (refusal === undefined) {
        this.#wishes.delete(key);
      } else {
        const isNews = refusal.code !== wish.refusal.code;
        wish.refusal = refusal;
        if (isNews) refused(strategy, { intent, refusal });
      }
    }
  }
}

function isStanding(intent: Intent): intent is StandingWish {
  return intent.kind === 'quotes' || intent.kind === 'target';
}

/** Quotes and targets of a market replace each other. */
function keyOf(strategy: string, { market }: StandingWish): string {
  return `${market} ${strategy}`;
}
