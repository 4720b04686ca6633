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

/** The positions of one market. */
interface MarketPositions {
  overall: Position;
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
    const positions = this.#of(market);
    if (strategy === undefined) return positions.overall;
    return positions.ofStrategy.get(strategy) ?? flatPosition(market);
  }

  /** The profit of all strategies in a market, what is held valued at `markPrice`. */
  profit(market: string, markPrice: number | Decimal): Profit {
    return profitOf(this.position(market), markPrice);
  }

  /** The markets that were traded, in the order of their first fill. */
  tradedMarkets(): Iterable<string> {
    return this.#positions.keys();
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
    const own = this.position(fill.market, fill.strategy);
    const positions = this.#of(fill.market);
    this.#positions.set(fill.market, positions);
    positions.overall = foldFill(positions.overall, { fill, market });
    positions.ofStrategy.set(fill.strategy, foldFill(own, { fill, market }));
  }

  #of(market: string): MarketPositions {
    const known = this.#positions.get(market);
    return known ?? { overall: flatPosition(market), ofStrategy: new Map() };
  }
}
