import type { Market } from '../../domain/index.ts';
import { getOrInsert } from '../../kernel/index.ts';
import { ReportError } from '../errors.ts';
import type { RecordedFill } from '../record.ts';
import { PositionWalk } from './position-walk.ts';

/** The walks through one market, by strategy. */
export type MarketWalks = ReadonlyMap<string, PositionWalk>;

/** A walk for each strategy in each market, made at its first fill. */
export class Walks implements Iterable<readonly [market: string, walks: MarketWalks]> {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #walks = new Map<string, Map<string, PositionWalk>>();

  constructor(markets: readonly Market[]) {
    this.#markets = new Map(markets.map((market) => [market.id, market]));
  }

  /** The walks through a market so far. */
  in(market: string): Iterable<PositionWalk> {
    return this.#walks.get(market)?.values() ?? [];
  }

  /** The walk that a fill belongs to. @throws {ReportError} when its market is not the record's. */
  of(fill: RecordedFill): PositionWalk {
    const inMarket = getOrInsert(this.#walks, fill.market, () => new Map());
    return getOrInsert(inMarket, fill.strategy, () => new PositionWalk(this.#marketOf(fill)));
  }

  [Symbol.iterator](): Iterator<readonly [market: string, walks: MarketWalks]> {
    return this.#walks.entries();
  }

  #marketOf(fill: RecordedFill): Market {
    const market = this.#markets.get(fill.market);
    if (market !== undefined) return market;
    const known = [...this.#markets.keys()].join(', ') || 'none';
    throw new ReportError(
      `Cannot count a fill: its market is ${fill.market}, one of the record's (${known}) is wanted`,
    );
  }
}
