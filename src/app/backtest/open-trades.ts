import { roundTrips } from '../../report/index.ts';
import type { Stage } from './stage.ts';

type Parts = Pick<Stage, 'recorder' | 'sources' | 'names'>;

/** The trades that are open when first asked for. A rest that a fee left of a trade is not one. */
export class OpenTrades {
  readonly #parts: Parts;
  #open: ReadonlySet<string> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether a strategy, by its name in the journal, has an open trade in a market. */
  has(strategy: string, market: string): boolean {
    this.#open ??= this.#found();
    return this.#open.has(`${this.#parts.names.get(strategy)} ${market}`);
  }

  #found(): ReadonlySet<string> {
    const { recorder, sources } = this.#parts;
    const markets = sources.map((source) => source.market);
    const open = new Set<string>();
    for (const trip of roundTrips({ fills: recorder.fills, markets, passed: new Map() })) {
      if (trip.closeTime === undefined) open.add(`${trip.strategy} ${trip.market}`);
    }
    return open;
  }
}
