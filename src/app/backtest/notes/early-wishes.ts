import { type Intent, isStanding } from '../../../domain/index.ts';
import { deskOf } from '../../compare/digest.ts';
import type { ShownNames } from '../record/shown-names.ts';

/** Counts the wishes of the warm-up, which are dropped, and keeps those that stood at its end. */
export class EarlyWishes {
  /** The wishes that stood at the end of the warm-up, by strategy and market as in `deskOf`. */
  readonly standing = new Map<string, Intent>();
  readonly #counts = new Map<string, number>();
  readonly #names: ShownNames;

  constructor(names: ShownNames) {
    this.#names = names;
  }

  /** A strategy made a wish that is dropped. */
  add(strategy: string, intent: Intent): void {
    if (isStanding(intent)) this.standing.set(deskOf({ strategy, market: intent.market }), intent);
    this.#counts.set(strategy, (this.#counts.get(strategy) ?? 0) + 1);
  }

  /** The strategies that wished in the warm-up, by their shown names. */
  get strategies(): ReadonlySet<string> {
    return new Set(Array.from(this.#counts.keys(), (name) => this.#names.get(name) ?? name));
  }

  /** A sentence for each strategy that wished nothing later. `later`: wishes after the warm-up. */
  notes(later: ReadonlyMap<string, number>): string[] {
    const lost = [...this.#counts].filter(([strategy]) => !later.has(strategy));
    return lost.map(([strategy, count]) => {
      const wishes = count === 1 ? 'its only wish' : `all of its ${count} wishes`;
      const name = this.#names.get(strategy) ?? strategy;
      return `Strategy ${name} made ${wishes} in the warm-up, whose wishes are dropped.`;
    });
  }
}
