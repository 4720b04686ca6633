import type { Journal, Market, TradingEvent } from '../domain/index.ts';
import { Engine, type StrategyInstance, TallyCounter } from '../engine/index.ts';
import type { Exchange } from '../exchange/index.ts';
import { Executor, Heartbeat, RateBudget } from '../execution/index.ts';
import { Bus, type Clock, type Logger, type Random } from '../kernel/index.ts';
import { BalanceLedger, OrderLedger, PositionLedger } from '../ledger/index.ts';
import { MarketStreams, MarketView } from '../market/index.ts';
import { createRiskGate, TradingStateControl } from '../risk/index.ts';
import { clientOrderIds } from './client-order-ids.ts';
import type { DeploymentConfig } from './config/deployment.ts';
import { logEvents } from './log-events.ts';
import type { Recollection } from './recall.ts';
import type { StatusSources } from './status.ts';

/** What a bot is made of, chosen by whoever runs it. */
export interface BotParts {
  readonly config: DeploymentConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly exchange: Exchange;
  readonly markets: ReadonlyMap<string, Market>;
  readonly strategies: readonly StrategyInstance[];
  readonly journal: Journal;
  /** What earlier runs left; undefined where there were none. */
  readonly past: Recollection | undefined;
}

/** A bot, ready to be started. */
export interface Bot {
  readonly bus: Bus<TradingEvent>;
  readonly engine: Engine;
  readonly sources: StatusSources;
}

/** Puts the floors together: the same for a rehearsal, on paper and live. */
export function composeBot(parts: BotParts): Bot {
  const { config, clock, random, logger, exchange, markets, journal } = parts;
  const bus = new Bus<TradingEvent>();
  const tally = new TallyCounter();
  tally.follow(bus);
  logEvents(bus, logger);

  const orders = new OrderLedger({ clock, bus, markets, feeRates: config.fees });
  const balances = new BalanceLedger({ clock, bus });
  const positions = new PositionLedger({ bus, markets, fills: orders.fills });
  const view = new MarketView({ clock, bus, staleAfterMs: config.data.staleAfterMs });
  const streams = new MarketStreams({
    clock,
    bus,
    markets,
    logger,
    data: exchange.market,
    feed: exchange.marketFeed,
    config: config.data,
    limits: exchange.limits,
  });

  const { limits } = exchange;
  const heartbeat = new Heartbeat({ clock, limits, config: config.executor.heartbeat });
  const budget = new RateBudget({ clock, limits, config: config.executor.budget });
  const initial = parts.past?.trading;
  const state = new TradingStateControl({ clock, bus, ...(initial && { initial }) });
  const gate = createRiskGate({
    clock,
    bus,
    markets,
    orders,
    balances,
    positions,
    heartbeat,
    state,
    prices: view,
    config: config.risk,
  });
  const executor = new Executor({
    clock,
    bus,
    exchange,
    markets,
    orders,
    balances,
    positions,
    gate,
    heartbeat,
    budget,
    journal,
    logger,
    prices: view,
    config: config.executor,
    nextClientOrderId: clientOrderIds(clock, random.fork('client order ids')),
    onHalt: (reason) => state.set('HALTED', reason),
  });
  if (parts.past !== undefined) {
    const { fills, liveOrders, requestTimes } = parts.past;
    for (const fill of fills) if (markets.has(fill.market)) positions.restore(fill);
    executor.restore({ orders: liveOrders, requestTimes });
  }
  const engine = new Engine({
    bus,
    clock,
    logger,
    exchange,
    markets,
    journal,
    streams,
    orders,
    balances,
    positions,
    gate,
    executor,
    random: random.fork('strategies'),
    strategies: parts.strategies,
    allowWithdrawals: config.allowWithdrawals,
  });
  const sources = { markets, view, orders, positions, executor, tally, state: () => state.state };
  return { bus, engine, sources };
}
