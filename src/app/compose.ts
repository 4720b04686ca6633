import type { Intent, Interval, Journal, Market, TradingEvent } from '../domain/index.ts';
import { Engine, type StrategyInstance, TallyCounter } from '../engine/index.ts';
import { CODES, type Exchange } from '../exchange/index.ts';
import {
  Executor,
  Heartbeat,
  type HeartbeatPort,
  type OnRepeated,
  RateBudget,
} from '../execution/index.ts';
import { Bus, type Clock, isEnabled, type Logger, type Random } from '../kernel/index.ts';
import { BalanceLedger, type FeeRates, OrderLedger, PositionLedger } from '../ledger/index.ts';
import { MarketStreams, MarketView, type StreamsPort } from '../market/index.ts';
import { type PriceView, RiskGate, TradingStateControl } from '../risk/index.ts';
import { clientOrderIds } from './client-order-ids.ts';
import type { DeploymentConfig } from './config/deployment.ts';
import { tellLeftOrders } from './log/left-orders.ts';
import { logEvents } from './log/log-events.ts';
import { dayStartOf } from './past/day-start.ts';
import type { Recollection } from './past/recall.ts';
import { takeOver } from './past/take-over.ts';
import { type SettingOf, settingsOf } from './refusal-settings.ts';
import type { Blot } from './secrets.ts';
import { Blackouts } from './status/blackouts.ts';
import { DataAges } from './status/data-ages.ts';
import { RunEarnings } from './status/earnings.ts';
import { MetLimits } from './status/met-limits.ts';
import type { StatusSources } from './status/status.ts';
import { venueSettings } from './venue/venue-settings.ts';

/** What a bot is made of, chosen by whoever runs it. */
export interface BotParts {
  readonly config: DeploymentConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The logger of the engine and its strategies. Default: `logger`. */
  readonly strategyLogger?: Logger;
  /** Removes secrets from the reason why a strategy failed. Default: there are none. */
  readonly blot?: Blot | undefined;
  readonly exchange: Exchange;
  readonly markets: ReadonlyMap<string, Market>;
  readonly strategies: readonly StrategyInstance[];
  readonly journal: Journal;
  /** What earlier runs left; undefined where there were none. */
  readonly past: Recollection | undefined;
  /** A person's word: trade again although an earlier run halted. Default: false. */
  readonly resume?: boolean;
  /** Where market data come from. Default: the exchange's ports, polled and pushed. */
  readonly openData?: (bus: Bus<TradingEvent>) => MarketSenses;
  /** The timed cancels that guard the markets. Default: the exchange's, kept armed. */
  readonly heartbeat?: HeartbeatPort;
  /** How often the engine shows that it is alive. Default: the engine's own. */
  readonly signOfLifeMs?: number;
  /** What the exchange charges beyond the configured rates, and in which currency. */
  readonly fees?: Omit<FeeRates, 'maker' | 'taker'>;
  /** Names the settings behind limits of the exchange. Default: those of the deployment's venue. */
  readonly exchangeSetting?: SettingOf;
  /**
   * How many final orders are remembered, where news of them cannot be late. Default: as many as
   * may get news within minutes.
   */
  readonly ordersKeptMax?: number | undefined;
  /** Whether parts of an exit follow each other at once: see `ExecutorOptions`. Default: no. */
  readonly partsFollow?: boolean;
  /** Whether pushes tell of all orders: see `ExecutorOptions`. Default: no. */
  readonly pushesTellAll?: boolean;
  /** Wishes before this time are ignored. Default: none. */
  readonly tradesFromMs?: number;
  /** Called with each wish that is ignored for that, and its strategy. */
  readonly onEarly?: (strategy: string, intent: Intent) => void;
}

/**
 * How many ids of forgotten orders are kept where few orders are: more than records of unknown
 * orders are, so that an order of ours is never taken for a foreign one.
 */
const FORGOTTEN_IDS_KEPT = 4_096;

/** What a bot sees of its markets. */
export interface MarketSenses {
  readonly view: StatusSources['view'] & PriceView;
  readonly streams: StreamsPort;
  /** Interval of the candles by which a market is told instead of its trades. Default: none. */
  readonly candlesOf?: ReadonlyMap<string, Interval>;
}

/** A bot, ready to be started. */
export interface Bot {
  readonly bus: Bus<TradingEvent>;
  readonly engine: Engine;
  readonly gate: RiskGate;
  readonly balances: BalanceLedger;
  readonly sources: StatusSources;
}

/** Puts the floors together: the same for a rehearsal, on paper and live. */
export function composeBot(parts: BotParts): Bot {
  const { config, clock, random, logger, exchange, markets, strategies, journal } = parts;
  const bus = new Bus<TradingEvent>();
  const tally = new TallyCounter();
  tally.follow(bus);
  const venue = parts.exchangeSetting ?? venueSettings(config.venue);
  const settingOf = settingsOf(config.risk, venue);
  // An embedded exchange begins anew with every run, and so does trading.
  const isEmbedded = config.venue.kind === 'simulated';
  const resumedBy = isEmbedded ? 'the end of this run' : 'a start with --resume';
  const left = parts.past?.liveOrders.filter(({ market }) => markets.has(market)) ?? [];
  if (isEnabled(logger, 'error')) logEvents(bus, { logger, settingOf, resumedBy, left });
  const limits = new MetLimits(bus, settingOf);

  const senses = composeSenses(parts, bus);
  const onRepeated = tally.repeated;
  const { state, gate, executor } = composeControl({ ...parts, ...senses, onRepeated }, bus);
  const engine = new Engine({
    ...{ bus, clock, exchange, markets, strategies, journal, gate, executor },
    ...senses,
    logger: parts.strategyLogger ?? logger,
    blot: parts.blot,
    random: random.fork('strategies'),
    allowWithdrawals: config.allowWithdrawals,
    signOfLifeMs: parts.signOfLifeMs,
    ...{ tradesFromMs: parts.tradesFromMs, onEarly: parts.onEarly },
    onRepeated,
  });
  if (isEnabled(logger, 'info')) tellLeftOrders(bus, { logger, orders: left });
  takeOver(parts, { state, executor, positions: senses.positions });
  const earnings = new RunEarnings({ ...senses, bus, strategies });
  return {
    bus,
    engine,
    gate,
    balances: senses.balances,
    sources: {
      ...senses,
      ...{ clock, markets, strategies, engine, executor, state },
      ...{ tally, limits, earnings },
      ages: new DataAges(),
      blackouts: new Blackouts({ clock, markets, risk: config.risk }),
    },
  };
}

type Senses = ReturnType<typeof composeSenses>;

/** What the bot knows: of the account and of the markets. */
function composeSenses(parts: BotParts, bus: Bus<TradingEvent>) {
  const { clock, logger, markets, ordersKeptMax } = parts;
  const orders = new OrderLedger({
    ...{ clock, bus, markets, logger, feeRates: feeRatesOf(parts) },
    finalOrdersMax: ordersKeptMax,
    forgottenIdsMax: ordersKeptMax && FORGOTTEN_IDS_KEPT,
  });
  const balances = new BalanceLedger({ clock, bus });
  const positions = new PositionLedger({ bus, markets, bookings: orders.bookings });
  const { view, streams, candlesOf } = parts.openData?.(bus) ?? venueData(parts, bus);
  return { orders, balances, positions, view, streams, candlesOf };
}

function feeRatesOf({ config, fees }: BotParts): FeeRates {
  return { ...config.fees, ...fees };
}

/** Market data of the exchange's ports. */
function venueData(parts: BotParts, bus: Bus<TradingEvent>): MarketSenses {
  const { config, clock, logger, exchange, markets } = parts;
  const view = new MarketView({ clock, bus, staleAfterMs: config.data.staleAfterMs });
  const streams = new MarketStreams({
    ...{ clock, bus, markets, logger },
    data: exchange.market,
    feed: exchange.marketFeed,
    config: config.data,
    limits: exchange.limits,
  });
  return { view, streams };
}

/** What decides whether and when a request leaves. */
function composeControl(
  parts: BotParts & Senses & { readonly onRepeated: OnRepeated },
  bus: Bus<TradingEvent>,
) {
  const { config, clock, random, logger, exchange, markets, journal } = parts;
  const { orders, balances, positions, view: prices } = parts;
  const { limits } = exchange;
  const timed = { clock, limits, config: config.executor.heartbeat };
  const heartbeat = parts.heartbeat ?? new Heartbeat(timed);
  const budget = new RateBudget({ clock, limits, config: config.executor.budget });
  const state = new TradingStateControl({ clock, bus, initial: parts.past?.trading });
  const shared = { clock, bus, markets, orders, balances, positions, heartbeat, prices };
  const dayStart = parts.past && dayStartOf(parts.past, { markets, nowMs: clock.now() });
  const feeRates = feeRatesOf(parts);
  const { candlesOf } = parts;
  const told = { feeRates, dayStart, candlesOf, plainRejects: PLAIN_REJECTS };
  const gate = new RiskGate({ ...shared, state, config: config.risk, ...told });
  const executor = new Executor({
    ...shared,
    ...{ exchange, gate, budget, journal, logger },
    config: config.executor,
    heardMax: parts.ordersKeptMax,
    partsFollow: parts.partsFollow,
    pushesTellAll: parts.pushesTellAll,
    nextClientOrderId: clientOrderIds(clock, random.fork('client order ids')),
    onHalt: (reason) => state.set('HALTED', reason),
    onRepeated: parts.onRepeated,
  });
  return { state, gate, executor };
}

/** Codes of rejections that do not depend on the price. Source: wire facts, table of codes. */
const PLAIN_REJECTS: ReadonlySet<number> = new Set([
  ...[CODES.internal, CODES.unverified, CODES.maintenance, CODES.noPermission, CODES.balance],
  ...[CODES.invalidAmount, CODES.foreignAddress, CODES.requestExpired, CODES.locked],
]);
