import { type DeploymentConfig, deploymentSchema } from '../../src/app/config/deployment.ts';
import type { Market } from '../../src/domain/index.ts';
import type { DialectName } from '../../src/venues/zb/server/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import type { Allowance } from './invariants.ts';
import { MEDLEY_TAGS } from './medley.ts';

export const BTC_USDT = makeMarket();
export const ETH_USDT: Market = { ...BTC_USDT, id: 'eth_usdt', base: 'eth', amountScale: 3 };
const OTHERS = ['ltc', 'xrp', 'ada', 'dot', 'sol', 'eos', 'bch', 'hc', 'xwc', 'qtum'];

/** So many markets, 12 at most; from the second on they are alike. */
export function manyMarkets(count: number): readonly Market[] {
  const others = OTHERS.map((base) => ({ ...ETH_USDT, id: `${base}_usdt`, base }));
  return [BTC_USDT, ETH_USDT, ...others].slice(0, count);
}

/** What a world is made of; everything has a default. */
export interface WorldOptions {
  readonly seed?: string | number;
  readonly markets?: readonly Market[];
  /** Default: market-maker. */
  readonly strategy?: 'market-maker' | 'flood' | 'swing' | 'medley' | 'round-trip';
  /**
   * How many strategies trade, in several markets each, others after each start: see `Ensemble`.
   * Default: 1, which is one for each market.
   */
  readonly strategies?: number;
  /** Quotes on each side. Default: 2. */
  readonly levels?: number;
  /** Whether quotes are PostOnly. Default: true. */
  readonly postOnly?: boolean;
  /** How often a flood wishes. Default: 20. */
  readonly floodPeriodMs?: number;
  /** Largest position in the base currency. Default: 0.05. */
  readonly positionMax?: number;
  readonly executor?: Record<string, unknown>;
  readonly risk?: Record<string, unknown>;
  readonly dialect?: DialectName;
  /** What the exchange takes, and the bot reckons with. Default: nothing. */
  readonly fees?: { readonly maker: number; readonly taker: number };
  /** How long reads do not find young orders. Default: 300. */
  readonly readLagMs?: number;
  /** How far reads may lag behind what orders and balances are, each by another time. Default: 0. */
  readonly staleMs?: number;
  /** How far the bot's clock is ahead of the exchange's. Default: 0. */
  readonly skewMs?: number;
  /** Default: plenty in every currency. */
  readonly balances?: Readonly<Record<string, string>>;
  /** Keep market data in the journal. Default: false. */
  readonly marketData?: boolean;
  /** Days after which it is dropped. Default: never. */
  readonly keepDays?: number | undefined;
  /** What an order on its way is safe against. Default: normal. */
  readonly durability?: 'full' | 'normal';
  /**
   * Longest time that a cancel may wait for the rate budget. Default: 7000, for where requests leave
   * one by one it may be behind a heartbeat that nobody answers (5 s), and its turn comes (0.5 s);
   * after a restart that heartbeat waits until what left before it is a window old (1 s).
   */
  readonly cancelWaitMs?: number;
  /**
   * Whether it trades with the key of the bot beside it: the exchange counts the requests of both as
   * one's, and only the limit of the address is one that each can keep. Default: false.
   */
  readonly sharesKey?: boolean;
  /** Chance that somebody repeats a request for orders while the weather is not calm. Default: 0. */
  readonly repeats?: number;
}

const DEFAULTS = {
  seed: 'simulation',
  markets: [BTC_USDT] as readonly Market[],
  strategy: 'market-maker',
  strategies: 1,
  levels: 2,
  postOnly: true,
  floodPeriodMs: 20,
  positionMax: 0.05,
  executor: {},
  risk: {},
  dialect: 'documented',
  fees: { maker: 0, taker: 0 },
  readLagMs: 300,
  staleMs: 0,
  skewMs: 0,
  marketData: false,
  keepDays: undefined,
  durability: 'normal',
  cancelWaitMs: 7_000,
  sharesKey: false,
  repeats: 0,
} as const satisfies WorldOptions;

/** Every option resolved. */
export type Settled = Required<WorldOptions>;

/** The options with what they leave out. */
export function settle(options: WorldOptions): Settled {
  const { markets = DEFAULTS.markets } = options;
  const bases = markets.map(({ base }) => [base, base === 'btc' ? '2' : '40']);
  const balances = { usdt: '100000', ...Object.fromEntries(bases) };
  return { ...DEFAULTS, balances, ...options };
}

/** The deployment of a world: risk limits the position and nothing else. */
export function configOf(options: Settled): DeploymentConfig {
  const { markets, positionMax, executor, risk, strategy, fees } = options;
  const plenty = 1e9;
  return deploymentSchema.parse({
    name: 'simulation',
    venue: { kind: 'simulated' },
    markets: markets.map(({ id }) => id),
    strategies: [{ use: strategy }],
    fees,
    executor,
    risk: {
      orderValueMax: plenty,
      openValueMax: plenty,
      positionValueMax: plenty,
      dailyLossMax: plenty,
      drawdownMax: plenty,
      ordersPerWindowMax: 10_000,
      strategyOrdersPerWindowMax: 10_000,
      // What is adopted comes on top of what the strategy wishes.
      longMax: adopts(executor) ? 10 * positionMax : positionMax,
      shortMax: adopts(executor) ? 10 * positionMax : positionMax,
      ...risk,
    },
  });
}

/** What the invariants allow the bot. */
export function allowanceOf(settled: Settled): Allowance {
  const { strategy, strategies, levels, positionMax, executor, cancelWaitMs } = settled;
  return {
    quotesPerSide: strategies * restingPerSide(strategy, levels),
    // Adopted orders fill for the bot without being its own.
    positionMax: adopts(executor) ? undefined : positionMax,
    requestsPerSecond: settled.sharesKey ? undefined : 60,
    requestsPerMinute: 10_000,
    cancelWaitMs,
  };
}

function restingPerSide(strategy: Settled['strategy'], levels: number): number {
  if (strategy === 'swing') return 0;
  return strategy === 'medley' ? levels + MEDLEY_TAGS.length : levels;
}

function adopts(executor: Settled['executor']): boolean {
  return (executor as { foreignOrders?: string }).foreignOrders === 'adopt';
}
