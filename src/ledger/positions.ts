import type { Observable, Subscription } from 'rxjs';
import type { Fill, Market, Position, TradingEvent } from '../domain/index.ts';
import type { Bus, Decimal } from '../kernel/index.ts';
import { flatPosition, foldFill, type Profit, profitOf } from './accounting.ts';
import { LedgerError } from './errors.ts';

export interface PositionLedgerOptions {
  readonly bus: Bus<TradingEvent>;
  readonly markets: ReadonlyMap<string, Market>;
  /** The order ledger's `fills`. */
  readonly fills: Observable<Fill>;
}

/** What a market holds: all strategies together, and each. */
export interface HeldMarket {
  readonly market: string;
  readonly overall: Position;
  readonly ofStrategy: ReadonlyMap<string, Position>;
}

/** The positions of one market. */
interface MarketPositions {
  readonly overall: Position;
  readonly ofStrategy: Map<string, Position>;
}

/**
 * What the strategies hold by their fills, each its own and all together.
 *
 * A fill counts from the moment it is learnt, so that risk never looks at an order that is gone and
 * a position that does not hold it yet. The change is published once the fill's own event is.
 */
export class PositionLedger {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #positions = new Map<string, MarketPositions>();
  readonly #flats = new Map<string, Position>();
  readonly #subscription: Subscription;

  constructor(options: PositionLedgerOptions) {
    const { bus, fills } = options;
    this.#markets = options.markets;
    this.#subscription = fills.subscribe((fill) => this.#fold(fill));
    this.#subscription.add(
      bus.on('fill').subscribe(({ time, market, fill: { strategy } }) => {
        const position = this.position(market, strategy);
        bus.publish({ kind: 'position', time, market, strategy, position });
      }),
    );
  }

  /** The position of one strategy, or of all together. The same object until it changes. */
  position(market: string, strategy?: string): Position {
    const positions = this.#positions.get(market);
    const known = strategy === undefined ? positions?.overall : positions?.ofStrategy.get(strategy);
    return known ?? this.#flat(market);
  }

  /** The profit of all strategies in a market, what is held valued at `markPrice`. */
  profit(market: string, markPrice: number | Decimal): Profit {
    return profitOf(this.position(market), markPrice);
  }

  /** The markets that were traded, in the order of their first fill. */
  tradedMarkets(): Iterable<string> {
    return this.#positions.keys();
  }

  /** What every traded market holds now: a copy. */
  held(): HeldMarket[] {
    return Array.from(this.#positions, ([market, { overall, ofStrategy }]) => {
      return { market, overall, ofStrategy: new Map(ofStrategy) };
    });
  }

  /** Takes up what a market held at the end of earlier fills; publishes nothing. */
  restoreHeld({ market, overall, ofStrategy }: HeldMarket): void {
    this.#positions.set(market, { overall, ofStrategy: new Map(ofStrategy) });
  }

  /** Takes up a fill of an earlier run; publishes nothing. */
  restore(fill: Fill): void {
    this.#fold(fill);
  }

  /** Stops to follow the fills. */
  close(): void {
    this.#subscription.unsubscribe();
  }

  #fold(fill: Fill): void {
    const market = this.#markets.get(fill.market);
    if (market === undefined) {
      throw new LedgerError(`Cannot count a fill: market ${fill.market} is not known`);
    }
    const overall = foldFill(this.position(fill.market), { fill, market });
    const own = foldFill(this.position(fill.market, fill.strategy), { fill, market });
    const ofStrategy = this.#positions.get(fill.market)?.ofStrategy ?? new Map();
    this.#positions.set(fill.market, { overall, ofStrategy: ofStrategy.set(fill.strategy, own) });
  }

  #flat(market: string): Position {
    let flat = this.#flats.get(market);
    if (flat === undefined) {
      flat = flatPosition(market);
      this.#flats.set(market, flat);
    }
    return flat;
  }
}
