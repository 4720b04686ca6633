import type { Observable } from 'rxjs';
import type { Booking, Market, Position, PositionEntry, TradingEvent } from '../domain/index.ts';
import { type Bus, type Decimal, getOrInsert } from '../kernel/index.ts';
import { flatPosition, foldEntry, type Profit, profitOf } from './accounting.ts';
import { LedgerError } from './errors.ts';

export interface PositionLedgerOptions {
  readonly bus: Bus<TradingEvent>;
  readonly markets: ReadonlyMap<string, Market>;
  /** The order ledger's bookings. */
  readonly bookings: Observable<Booking>;
}

/** The position in one market: of all strategies together, and of each. */
export interface HeldMarket {
  readonly market: string;
  readonly overall: Position;
  readonly ofStrategy: ReadonlyMap<string, Position>;
}

interface MarketPositions {
  overall: Position;
  readonly ofStrategy: Map<string, Position>;
}

/**
 * The strategies' positions by their fills, of each and of all together.
 *
 * A fill or late fee counts from the moment it is learnt, so that risk never sees an order gone
 * whose fill is not in the position yet. The change of position is published after the booking's
 * own event.
 */
export class PositionLedger {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #positions = new Map<string, MarketPositions>();
  /** The keys of `#positions`. Every tick walks them, and a list is faster to walk than a map. */
  readonly #traded: string[] = [];
  readonly #flats = new Map<string, Position>();

  constructor(options: PositionLedgerOptions) {
    const { bus, bookings } = options;
    this.#markets = options.markets;
    bookings.subscribe((booking) => this.#fold(booking));
    const tell = (time: number, { market, strategy }: Booking): void => {
      const position = this.position(market, strategy);
      bus.publish({ kind: 'position', time, market, strategy, position });
    };
    bus.on('fill').subscribe(({ time, fill }) => tell(time, fill));
    bus.on('lateFee').subscribe((event) => tell(event.time, event.lateFee));
  }

  /** The position of one strategy, or of all together. The same object until it changes. */
  position(market: string, strategy?: string): Position {
    const positions = this.#positions.get(market);
    const known = strategy === undefined ? positions?.overall : positions?.ofStrategy.get(strategy);
    return known ?? this.#flat(market);
  }

  /** The profit of all strategies in a market, with holdings valued at `markPrice`. */
  profit(market: string, markPrice: number | Decimal): Profit {
    return profitOf(this.position(market), markPrice);
  }

  /** The markets that were traded, in the order of their first fill. */
  tradedMarkets(): readonly string[] {
    return this.#traded;
  }

  /** The present positions of every traded market: a copy. */
  held(): HeldMarket[] {
    return Array.from(this.#positions, ([market, { overall, ofStrategy }]) => {
      return { market, overall, ofStrategy: new Map(ofStrategy) };
    });
  }

  /** Takes up a market's positions after earlier bookings; publishes nothing. */
  restoreHeld({ market, overall, ofStrategy }: HeldMarket): void {
    this.#put(market, { overall, ofStrategy: new Map(ofStrategy) });
  }

  /** Takes up an earlier run's booking, or a person's adjustment; publishes nothing. */
  restore(entry: PositionEntry): void {
    this.#fold(entry);
  }

  #fold(entry: PositionEntry): void {
    const { market: id, strategy } = entry;
    const market = this.#markets.get(id);
    if (market === undefined) {
      throw new LedgerError(`Cannot count a fill: market ${id} is not known`);
    }
    const held = this.#positions.get(id);
    const former = held?.overall ?? this.#flat(id);
    const formerOwn = held?.ofStrategy.get(strategy) ?? this.#flat(id);
    const overall = foldEntry(former, { entry, market });
    // The only strategy in a market has the overall position.
    const own = formerOwn === former ? overall : foldEntry(formerOwn, { entry, market });
    if (held === undefined) {
      this.#put(id, { overall, ofStrategy: new Map([[strategy, own]]) });
    } else {
      held.overall = overall;
      held.ofStrategy.set(strategy, own);
    }
  }

  #put(market: string, held: MarketPositions): void {
    if (!this.#positions.has(market)) this.#traded.push(market);
    this.#positions.set(market, held);
  }

  #flat(market: string): Position {
    return getOrInsert(this.#flats, market, () => flatPosition(market));
  }
}
