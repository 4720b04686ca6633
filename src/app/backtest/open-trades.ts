import { roundTrips } from '../../report/index.ts';
import type { Stage } from './stage.ts';

/** The trades that are open at a moment of a run: what a fee left of one is none. */
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

  /** Whether a strategy, by the name that the journal has, has one in a market. */
  has(strategy: string, market: string): boolean {
    return this.#open.has(`${this.#names.get(strategy)} ${market}`);
  }
}
