import type { LiveOrder, Market, TradingState } from '../../domain/index.ts';
import type {
  Engine,
  StrategyInstance,
  StrategyReport,
  Tally,
  TallyCounter,
} from '../../engine/index.ts';
import {
  type Executor,
  type HeartbeatState,
  type Unreadable,
  whenCancelled,
} from '../../execution/index.ts';
import { type Clock, MINUTE_MS, withoutAction } from '../../kernel/index.ts';
import type { OrderLedger, PositionLedger } from '../../ledger/index.ts';
import type { TradingStateControl } from '../../risk/index.ts';
import { type UnownedPosition, unownedIn } from '../past/unowned.ts';
import type { Blackouts } from './blackouts.ts';
import type { DataAges } from './data-ages.ts';
import type { MarketEarnings, Prices, RunEarnings } from './earnings.ts';
import type { MetLimits } from './met-limits.ts';

/** One market as a person wants to see it. */
export interface MarketStatus extends MarketEarnings {
  readonly market: Market;
  /** Best prices, undefined while unknown. */
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly fresh: boolean;
  /** Milliseconds since its data could last be traded on; undefined: they never could. */
  readonly dataAgeMs: number | undefined;
  /** Own live orders, best first. */
  readonly bids: readonly LiveOrder[];
  readonly asks: readonly LiveOrder[];
  /** What is held in it for strategies that do not trade in the market: nobody will close that. */
  readonly unowned: readonly UnownedPosition[];
  /** The state of its timed cancel. */
  readonly heartbeat: HeartbeatState;
  /** When the timed cancel removes what rests there, in words. */
  readonly whenCancelled: string;
  /** Until when nothing is opened there, such as `14:30 UTC`; undefined: it is in no blackout. */
  readonly blackoutUntil: string | undefined;
}

/** A strategy as a person wants to see it. */
export interface StrategyStatus extends StrategyReport {
  /** How often it has wished. */
  readonly wishes: number;
  /** How many books of its markets were seen. */
  readonly books: number;
  /** How many closed candles of its markets were heard. */
  readonly candles: number;
}

/** A run at one moment. */
export interface Status {
  /** By the run's clock, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly markets: readonly MarketStatus[];
  readonly strategies: readonly StrategyStatus[];
  /** Whether new orders may leave, and why. */
  readonly trading: { readonly state: TradingState; readonly reason: string };
  readonly tally: Tally;
  /** The reason and time of the last rejection; undefined where it is not recent. */
  readonly rejected: { readonly reason: string; readonly timeMs: number } | undefined;
  /** The settings that set the limits of refusals so far, by their code. */
  readonly limits: ReadonlyMap<string, string>;
  readonly requests: ReturnType<Executor['usage']>;
  /** What cannot be read at the exchange: nothing is opened in such a market. */
  readonly unreadable: readonly Unreadable[];
}

/** Where a status is read from. */
export interface StatusSources {
  readonly clock: Clock;
  readonly markets: ReadonlyMap<string, Market>;
  readonly strategies: readonly StrategyInstance[];
  readonly view: Prices;
  readonly orders: OrderLedger;
  readonly positions: PositionLedger;
  readonly earnings: RunEarnings;
  readonly executor: Executor;
  readonly engine: Engine;
  readonly tally: TallyCounter;
  readonly limits: MetLimits;
  readonly ages: DataAges;
  readonly blackouts: Blackouts;
  readonly state: TradingStateControl;
}

/** Reads the status now. */
export function readStatus(sources: StatusSources): Status {
  const { state, reason } = sources.state;
  const tally = sources.tally.read();
  const { strategies } = sources;
  return {
    nowMs: sources.clock.now(),
    markets: [...sources.markets.values()].map((market) => marketStatus(sources, market)),
    strategies: sources.engine.strategies.map((report) =>
      strategyStatus(report, { strategies, tally }),
    ),
    trading: { state, reason },
    tally,
    rejected: newestRejection(tally, sources.clock.now()),
    limits: sources.limits.read(),
    requests: sources.executor.usage(),
    unreadable: sources.executor.unreadable().map(({ reason, ...others }) => {
      return { ...others, reason: withoutAction(reason) };
    }),
  };
}

/** How long a rejection is recent. */
const NEWS_MS = 5 * MINUTE_MS;

function newestRejection({ rejections }: Tally, nowMs: number): Status['rejected'] {
  let newest: Status['rejected'];
  for (const { reason, newestMs: timeMs } of rejections.values()) {
    if (timeMs >= (newest?.timeMs ?? nowMs - NEWS_MS)) newest = { reason, timeMs };
  }
  return newest;
}

function strategyStatus(
  report: StrategyReport,
  { strategies, tally }: { strategies: readonly StrategyInstance[]; tally: Tally },
): StrategyStatus {
  const { wishes, books, candles } = tally;
  const markets = strategies.find(({ name }) => name === report.name)?.markets ?? [];
  const seenOf = (counts: ReadonlyMap<string, number>): number =>
    markets.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0);
  return {
    ...report,
    ...{ wishes: wishes.get(report.name) ?? 0, books: seenOf(books), candles: seenOf(candles) },
  };
}

function marketStatus(sources: StatusSources, market: Market): MarketStatus {
  const { view, orders, earnings, executor, ages, clock, blackouts } = sources;
  const { id } = market;
  const isFresh = view.isFresh(id);
  const depth = view.depth(id);
  const live = orders.live(id);
  const heartbeat = executor.heartbeatState(id);
  return {
    market,
    bid: depth?.bids[0]?.[0],
    ask: depth?.asks[0]?.[0],
    fresh: isFresh,
    dataAgeMs: ages.ageMs(id, { isFresh, depth, nowMs: clock.now() }),
    bids: live.filter(({ side }) => side === 'buy').sort((a, b) => b.price - a.price),
    asks: live.filter(({ side }) => side === 'sell').sort((a, b) => a.price - b.price),
    ...earnings.read(id),
    unowned: unownedIn(id, sources),
    heartbeat,
    whenCancelled: whenCancelled(heartbeat.firesMs, clock.now()),
    blackoutUntil: blackouts.untilText(id),
  };
}
