import { merge, Subscription } from 'rxjs';
import { midOf, type Position, type TradingEvent } from '../../domain/index.ts';
import type { StrategyInstance } from '../../engine/index.ts';
import { type Bus, Decimal } from '../../kernel/index.ts';
import {
  flatPosition,
  type HeldMarket,
  type PositionLedger,
  profitOf,
} from '../../ledger/index.ts';
import type { MarketView } from '../../market/index.ts';
import type { PriceView } from '../../risk/index.ts';

/** Where prices are read from; in a replay `lastMiddle` may be missing. */
export type Prices = Omit<PriceView, 'freshUntilMs' | 'showsOwn'> &
  Partial<Pick<MarketView, 'lastMiddle'>>;

/** Decimal places of an average price. */
const AVERAGE_SCALE = 18;

/** What is held and was earned in a market, by one strategy or all: exact, in quote currency. */
export interface Earnings {
  readonly position: Position;
  /** The average price at which the position was opened; undefined where nothing is held. */
  readonly entryPrice: Decimal | undefined;
  /** Of this run and all before: realized and unrealized less fees; undefined without a price. */
  readonly profit: Decimal | undefined;
  /**
   * Of this run alone: by how much `profit` has grown since it began. What was held then counts at
   * the first price that the run was told.
   */
  readonly runProfit: Decimal | undefined;
  /** All fees of this run, those in the base currency at the price of their fill. */
  readonly runFees: Decimal;
}

/** What one strategy holds and has earned in a market. */
export interface StrategyEarnings extends Earnings {
  readonly strategy: string;
  /** Whether it trades there in this run. */
  readonly isTrading: boolean;
}

/** What all strategies hold and have earned in a market, and each. */
export interface MarketEarnings extends Earnings {
  /** Whether earlier runs have booked something there: only `profit` includes what they earned. */
  readonly hasPast: boolean;
  /** Those that trade there, as configured, then all others that ever did. */
  readonly ofStrategies: readonly StrategyEarnings[];
}

export interface EarningsOptions {
  readonly bus: Bus<TradingEvent>;
  readonly view: Prices;
  readonly positions: PositionLedger;
  readonly strategies: readonly Pick<StrategyInstance, 'name' | 'markets'>[];
}

/** The price that a position is valued at: the middle of the book, or the last one known. */
export function markOf(view: Prices, market: string): Decimal | undefined {
  const depth = view.depth(market);
  const mark = (depth && midOf(depth)) ?? view.last(market) ?? view.lastMiddle?.(market);
  return mark === undefined ? undefined : Decimal.of(mark);
}

/** Tells a run's profit apart from that of earlier runs. Made once these are taken over. */
export class RunEarnings {
  readonly #options: EarningsOptions;
  /** What was held as the run began. */
  readonly #start: ReadonlyMap<string, HeldMarket>;
  /** The first prices of markets in which something was held then. */
  readonly #marks = new Map<string, Decimal>();

  constructor(options: EarningsOptions) {
    this.#options = options;
    const held = options.positions.held();
    this.#start = new Map(held.map((one) => [one.market, one]));
    for (const one of held) if (isHeld(one)) this.#awaitPrice(one.market);
  }

  /** What a market has come to by now. */
  read(market: string): MarketEarnings {
    const { positions, strategies, view } = this.#options;
    const mark = markOf(view, market);
    const start = this.#start.get(market);
    const isTrader = ({ markets }: Pick<StrategyInstance, 'markets'>): boolean =>
      markets.some(({ id }) => id === market);
    const traders = new Set(strategies.filter(isTrader).map(({ name }) => name));
    const held = positions.held().find((one) => one.market === market);
    const names = new Set([...traders, ...(held?.ofStrategy.keys() ?? [])]);
    return {
      ...this.#earnings(positions.position(market), { mark, start: start?.overall }),
      hasPast: start !== undefined,
      ofStrategies: Array.from(names, (strategy) => ({
        ...{ strategy, isTrading: traders.has(strategy) },
        ...this.#earnings(positions.position(market, strategy), {
          ...{ mark, start: start?.ofStrategy.get(strategy) },
        }),
      })),
    };
  }

  #earnings(
    position: Position,
    { mark, start }: { readonly mark: Decimal | undefined; readonly start: Position | undefined },
  ): Earnings {
    const { market, amount, cost, fees } = position;
    const before = start ?? flatPosition(market);
    const firstMark = before.amount.sign === 0 ? mark : this.#marks.get(market);
    const profit = mark && profitOf(position, mark).net;
    return {
      position,
      entryPrice: amount.sign === 0 ? undefined : cost.dividedBy(amount, AVERAGE_SCALE, 'nearest'),
      profit,
      runProfit: firstMark && profit?.minus(profitOf(before, firstMark).net),
      runFees: fees.minus(before.fees),
    };
  }

  #awaitPrice(market: string): void {
    const { bus, view } = this.#options;
    const waiting = new Subscription();
    const prices = merge(
      ...(['depth', 'trade', 'ticker', 'candle'] as const).map((kind) => bus.on(kind, market)),
    );
    waiting.add(
      prices.subscribe(() => {
        const mark = markOf(view, market);
        if (mark === undefined) return;
        this.#marks.set(market, mark);
        waiting.unsubscribe();
      }),
    );
  }
}

function isHeld({ overall, ofStrategy }: HeldMarket): boolean {
  return [overall, ...ofStrategy.values()].some(({ amount }) => amount.sign !== 0);
}
