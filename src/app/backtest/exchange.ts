import type { DepthColumns, TradeColumns } from '../../domain/index.ts';
import type { Exchange } from '../../exchange/index.ts';
import { type Clock, Decimal } from '../../kernel/index.ts';
import {
  behindLatency,
  CandlesModel,
  DepthModel,
  type FillModel,
  HeldOrders,
  type LatencyModel,
  SimulatedExchange,
  TradesModel,
} from '../../sim/index.ts';
import type { BacktestConfig } from './config.ts';
import type { BacktestLatency } from './latency.ts';
import type { Source } from './source.ts';

const ACCOUNT = 'backtest';

/** Limits that nobody reaches: what is simulated without limits runs into none. */
const NO_LIMITS = {
  requestsPerSecond: 1e9,
  requestsPerMinute: 1e9,
  candleIntervalMs: 0,
};

/** Moves one market by its rows. */
export type MarketModel =
  | { readonly kind: 'candles'; readonly model: CandlesModel }
  | { readonly kind: 'trades'; readonly model: FillModel<TradeColumns> }
  | { readonly kind: 'depth'; readonly model: FillModel<DepthColumns> };

/** The exchange of a backtest, and what moves it. */
export interface BacktestExchange {
  readonly host: SimulatedExchange;
  /** As the bot sees it. */
  readonly exchange: Exchange;
  readonly models: ReadonlyMap<string, MarketModel>;
  /** The way to it: start and end of a run take no time, what is between takes the latency. */
  readonly line: { isSlow: boolean };
  /** Orders that wait for the next open; holds none where they need not. */
  readonly held: HeldOrders;
}

export interface BacktestExchangeParts {
  readonly clock: Clock;
  readonly sources: readonly Source[];
  readonly latency: BacktestLatency;
}

/** Opens the simulated exchange with the markets of the data. */
export function openBacktestExchange(
  config: BacktestConfig,
  { clock, sources, latency }: BacktestExchangeParts,
): BacktestExchange {
  const { balances, lent, fees, fill, simulate } = config;
  const host = new SimulatedExchange({
    clock,
    markets: sources.map(({ market }) => market),
    accounts: [{ name: ACCOUNT, balances: together(balances, lent) }],
    grows: true,
    fees: { maker: fees.maker ?? 0, taker: fees.taker ?? 0, in: fees.in },
  });
  const models = new Map(
    sources.map(({ market: { id } }) => [id, openModel(host, { id, fill })] as const),
  );
  const own = host.account(ACCOUNT)!;
  const { request, answer, isInstant } = latency;
  const line = { isSlow: false };
  const slow = (latency: LatencyModel) => (timeMs: number) => (line.isSlow ? latency(timeMs) : 0);
  const distant = isInstant
    ? own
    : behindLatency(own, { clock, request: slow(request), answer: slow(answer) });
  const held = new HeldOrders(clock);
  const holds = fill.model === 'candles' && fill.at !== 'thisClose';
  const exchange: Exchange = {
    ...distant,
    trading: holds ? held.wrap(distant.trading) : distant.trading,
    limits: simulate.rateLimits ? own.limits : NO_LIMITS,
  };
  return { host, exchange, models, held, line };
}

type Amounts = Readonly<Record<string, string>>;

/** The sums of both, by currency. */
function together(some: Amounts, others: Amounts): Amounts {
  const currencies = [...new Set([...Object.keys(some), ...Object.keys(others)])];
  const sum = (currency: string): string =>
    Decimal.of(some[currency] ?? 0)
      .plus(Decimal.of(others[currency] ?? 0))
      .toString();
  return Object.fromEntries(currencies.map((currency) => [currency, sum(currency)]));
}

function openModel(
  host: SimulatedExchange,
  { id, fill }: { readonly id: string; readonly fill: BacktestConfig['fill'] },
): MarketModel {
  switch (fill.model) {
    case 'candles':
      return {
        kind: 'candles',
        model: host.fillBy(id, (market) => new CandlesModel(market, fill)),
      };
    case 'trades':
      return { kind: 'trades', model: host.fillBy(id, (market) => new TradesModel(market, fill)) };
    case 'depth':
      return { kind: 'depth', model: host.fillBy(id, (market) => new DepthModel(market, fill)) };
    default:
      return fill satisfies never;
  }
}
