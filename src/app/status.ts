import type { LiveOrder, Market, TradingState } from '../domain/index.ts';
import { midOf, type Position } from '../domain/index.ts';
import type { Engine, StrategyReport, Tally, TallyCounter } from '../engine/index.ts';
import type { Executor } from '../execution/index.ts';
import { Decimal } from '../kernel/index.ts';
import type { OrderLedger, PositionLedger } from '../ledger/index.ts';
import type { MarketView } from '../market/index.ts';

/** One market as a person wants to see it. */
export interface MarketStatus {
  readonly market: Market;
  /** Best prices, undefined while unknown. */
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly fresh: boolean;
  /** Own live orders, best first. */
  readonly bids: readonly LiveOrder[];
  readonly asks: readonly LiveOrder[];
  readonly position: Position;
  /** In the quote currency: realized and unrealized less fees; undefined without a price. */
  readonly profit: Decimal | undefined;
  /** Milliseconds since the send time of the last confirmed heartbeat, undefined before the first. */
  readonly heartbeatAgeMs: number | undefined;
}

/** A run at one moment. */
export interface Status {
  readonly markets: readonly MarketStatus[];
  readonly strategies: readonly StrategyReport[];
  /** Whether new orders may leave, and why. */
  readonly trading: { readonly state: TradingState; readonly reason: string };
  readonly tally: Tally;
  readonly requests: ReturnType<Executor['usage']>;
}

/** Where a status is read from. */
export interface StatusSources {
  readonly markets: ReadonlyMap<string, Market>;
  readonly view: MarketView;
  readonly orders: OrderLedger;
  readonly positions: PositionLedger;
  readonly executor: Executor;
  readonly engine: Engine;
  readonly tally: TallyCounter;
  readonly state: Status['trading'];
}

/** Reads the status now. */
export function readStatus(sources: StatusSources): Status {
  const { state, reason } = sources.state;
  return {
    markets: [...sources.markets.values()].map((market) => marketStatus(sources, market)),
    strategies: sources.engine.strategies,
    trading: { state, reason },
    tally: sources.tally.read(),
    requests: sources.executor.usage(),
  };
}

function marketStatus(sources: StatusSources, market: Market): MarketStatus {
  const { view, orders, positions, executor } = sources;
  const { id } = market;
  const depth = view.depth(id);
  const live = orders.live(id);
  const mark = (depth === undefined ? undefined : midOf(depth)) ?? view.last(id);
  return {
    market,
    bid: depth?.bids[0]?.[0],
    ask: depth?.asks[0]?.[0],
    fresh: view.isFresh(id),
    bids: live.filter(({ side }) => side === 'buy').sort((a, b) => b.price - a.price),
    asks: live.filter(({ side }) => side === 'sell').sort((a, b) => a.price - b.price),
    position: positions.position(id),
    profit: mark === undefined ? undefined : positions.profit(id, Decimal.of(mark)).net,
    heartbeatAgeMs: executor.heartbeatAge(id),
  };
}
