/** The bot of the backtest benches: composed as a backtest composes it, on virtual time. */
import { composeBot } from '../src/app/compose.ts';
import { deploymentSchema } from '../src/app/config/deployment.ts';
import type { Market, TradingEvent } from '../src/domain/index.ts';
import type { Exchange } from '../src/exchange/index.ts';
import { noHeartbeat } from '../src/execution/index.ts';
import { type Bus, seededRandom, silentLogger, VirtualClock } from '../src/kernel/index.ts';
import { DirectStreams } from '../src/market/index.ts';
import type { PriceView } from '../src/risk/index.ts';
import { SimulatedExchange } from '../src/sim/index.ts';
import type { StrategyDefinition } from '../src/strategy/index.ts';

/** The market of the benches: nothing is too small for it. */
export const MARKET: Market = {
  id: 'btc_usdt',
  base: 'btc',
  quote: 'usdt',
  priceScale: 2,
  amountScale: 5,
  minAmount: 0,
  minSize: 0,
};

const ACCOUNT = 'bench';
/** Longer than any run: what is due then never comes. */
const NEVER_MS = Number.MAX_SAFE_INTEGER / 4;

export interface BenchOptions {
  readonly market: Market;
  readonly startMs: number;
  readonly kinds: readonly ('trade' | 'depth')[];
  readonly strategy: StrategyDefinition;
  readonly balances: Readonly<Record<string, string>>;
  readonly prices: PriceView;
  /** Puts something between bot and exchange. Default: nothing. */
  readonly wrap?: (exchange: Exchange, clock: VirtualClock) => Exchange;
}

/** A bot, started, and what its orders came to. */
export interface BenchBot {
  readonly clock: VirtualClock;
  readonly host: SimulatedExchange;
  readonly bus: Bus<TradingEvent>;
  readonly counts: { requests: number; fills: number; refusals: number };
}

export async function startBot(options: BenchOptions): Promise<BenchBot> {
  const { market, startMs, strategy, balances, prices, kinds, wrap } = options;
  const clock = new VirtualClock(startMs);
  const config = benchConfig(market, strategy.name);
  const host = new SimulatedExchange({
    clock,
    markets: [market],
    accounts: [{ name: ACCOUNT, balances }],
  });
  const own = host.account(ACCOUNT)!;
  const limits = { requestsPerSecond: 1e9, requestsPerMinute: 1e9, candleIntervalMs: 0 };
  const exchange = { ...(wrap?.(own, clock) ?? own), limits };
  const recorded = new Map([[market.id, { name: 'bench', kinds: new Set(kinds) }]]);
  const bot = composeBot({
    ...{ config, clock, exchange, past: undefined, heartbeat: noHeartbeat },
    markets: new Map([[market.id, market]]),
    strategies: [{ name: strategy.name, definition: strategy, params: {}, markets: [market] }],
    random: seededRandom('bench'),
    logger: silentLogger,
    journal: NO_JOURNAL,
    openData: (bus) => ({
      view: prices,
      streams: new DirectStreams({ bus, recorded }),
    }),
    signOfLifeMs: Number.POSITIVE_INFINITY,
  });
  const counts = { requests: 0, fills: 0, refusals: 0 };
  bot.bus.on('fill').subscribe(() => counts.fills++);
  bot.bus.on('refusal').subscribe(() => counts.refusals++);
  bot.bus.on('request').subscribe(() => counts.requests++);
  bot.engine.start().subscribe();
  while (clock.nextDueMs !== undefined && clock.nextDueMs <= startMs) clock.runNext();
  return { clock, host, bus: bot.bus, counts };
}

/** Kept nowhere: what is measured is the run, not its record. */
const NO_JOURNAL = {
  append: () => {},
  commitOrders: () => {},
  commit: () => {},
  close: () => {},
  hash: () => '',
};

function benchConfig(market: Market, strategy: string) {
  const { executor, ...config } = deploymentSchema.parse({
    name: 'backtest-bench',
    venue: { kind: 'simulated' },
    markets: [market.id],
    strategies: [{ use: strategy }],
    risk: {
      orderValueMax: 1e9,
      openValueMax: 1e9,
      positionValueMax: 1e9,
      ordersPerWindowMax: 1e9,
      strategyOrdersPerWindowMax: 1e9,
      dailyLossMax: 1e12,
      drawdownMax: 1e12,
    },
  });
  return { ...config, executor: { ...executor, reconcileMs: NEVER_MS } };
}

/** Largest memory of the process so far, whole megabytes. */
export function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1_024);
}

export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en');
}
