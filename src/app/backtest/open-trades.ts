import { roundTrips } from '../../report/index.ts';
import type { Stage } from './stage.ts';

/** The trades open at a moment of a run. A rest that a fee left of a trade is not an open trade. */
export class OpenTrades {
  readonly #open = new Set<string>();
  readonly #names: Stage['names'];

  constructor({ recorder, sources, names }: Pick<Stage, 'recorder' | 'sources' | 'names'>) {
    this.#names = names;
    const markets = sources.map((source) => source.market);
    for (const trip of roundTrips({ fills: recorder.fills, markets, passed: new Map() })) {
      if (trip.closeTime === undefined) this.#open.add(`${trip.strategy} ${trip.market}`);
    }
  }

  /** Whether a strategy, by its name in the journal, has an open trade in a market. */
  has(strategy: string, market: string): boolean {
    return this.#open.has(`${this.#names.get(strategy)} ${market}`);
  }
}
