import type { DepthColumns, TradeColumns } from '../../domain/index.ts';
import type { Exchange, TradingPort } from '../../exchange/index.ts';
import { type Clock, Decimal, messageOf, type Random } from '../../kernel/index.ts';
import {
  behindBrokenLine,
  behindLatency,
  CandlesModel,
  DepthModel,
  type FillModel,
  HeldOrders,
  type LatencyModel,
  SimulatedExchange,
  SimulationError,
  TradesModel,
  type Worth,
} from '../../sim/index.ts';
import { AppError } from '../errors.ts';
import type { BacktestConfig } from './config.ts';
import type { Span } from './data/findings/span.ts';
import type { Source } from './data/source.ts';
import type { BacktestDeployment } from './deployment.ts';
import { chargesOf } from './fees.ts';
import { heardPrices, tradesAtClose } from './hearing/heard-prices.ts';
import type { BacktestLatency } from './hearing/latency.ts';
import { isTouched, standing } from './hearing/outages.ts';
import { heldMaxMs } from './simulated-config.ts';

const ACCOUNT = 'backtest';

/** Request limits too high to be reached, for runs that do not simulate any. */
const NO_LIMITS = {
  requestsPerSecond: 1e9,
  requestsPerMinute: 1e9,
  candleIntervalMs: 0,
};

/** The fill model that plays the rows of one market. */
export type MarketModel =
  | { readonly kind: 'candles'; readonly model: CandlesModel }
  | { readonly kind: 'trades'; readonly model: FillModel<TradeColumns> }
  | { readonly kind: 'depth' | 'quotes'; readonly model: FillModel<DepthColumns> };

/** The exchange of a backtest, and the models that move its markets. */
export interface BacktestExchange {
  readonly host: SimulatedExchange;
  /** The exchange as the bot reaches it. */
  readonly exchange: Exchange;
  readonly models: ReadonlyMap<string, MarketModel>;
  /** Whether requests take their latency: they take no time at the start and end of a run. */
  readonly line: { isSlow: boolean };
  /** Orders waiting for the next open; empty where orders need not wait. */
  readonly held: HeldOrders;
  /** How much each order traded on arrival, by the exchange's id; only orders that took. */
  readonly taken: Map<string, number>;
}

export interface BacktestExchangeParts {
  readonly clock: Clock;
  readonly sources: readonly Source[];
  readonly latency: BacktestLatency;
  /** When the line is cut. */
  readonly outages: readonly Span[];
  /** Draws which requests sent in an outage arrive all the same. */
  readonly random: Random;
  /** How long a request waits for its answer before it fails, milliseconds. */
  readonly answerTimeoutMs: number;
}

/**
 * Opens the simulated exchange with the markets of the data.
 *
 * @throws {AppError} `configuration` for a balance that its currency cannot hold.
 */
export function openBacktestExchange(
  deployment: BacktestDeployment,
  parts: BacktestExchangeParts,
): BacktestExchange {
  try {
    return opened(deployment.backtest, parts);
  } catch (thrown) {
    const currency = thrown instanceof SimulationError ? thrown.path?.at(-1) : undefined;
    if (currency === undefined) throw thrown;
    const { balances } = deployment.backtest;
    const key = String(currency) in balances ? 'balances' : 'lent';
    const place = deployment.yaml.locate(['backtest', key, currency]);
    const message = `${place}: ${messageOf(thrown)}`;
    throw new AppError('configuration', message, { cause: thrown });
  }
}

function opened(config: BacktestConfig, parts: BacktestExchangeParts): BacktestExchange {
  const { clock, sources, latency } = parts;
  const { balances, lent, fees, fill, simulate } = config;
  const taken = new Map<string, number>();
  const host = new SimulatedExchange({
    clock,
    markets: sources.map(({ market }) => market),
    accounts: [{ name: ACCOUNT, balances: together(balances, lent) }],
    worths: worthsOf(sources),
    // Candles come from the data: nobody asks the exchange for them.
    keepsBars: false,
    fees: {
      ...{ maker: fees.maker ?? 0, taker: fees.taker ?? 0, in: fees.in },
      charges: chargesOf(fees),
    },
    orderTook: (id, filledAmount) => taken.set(id, filledAmount),
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
  const reached = breakable(distant, { ...parts, line, config });
  const waitsMs = heldMaxMs({ backtest: config }, sources);
  const held = new HeldOrders(clock, { heldMaxMs: waitsMs, trades: heardPrices(fill).walks });
  const exchange: Exchange = {
    ...reached,
    trading: heldBack(reached.trading, { fill, held }),
    limits: simulate.rateLimits ? own.limits : NO_LIMITS,
  };
  return { host, exchange, models, held, line, taken };
}

/** Candles: orders wait for the next open or, at closes, are refused where candles are missing. */
function heldBack(
  trading: TradingPort,
  { fill, held }: { readonly fill: BacktestConfig['fill']; readonly held: HeldOrders },
): TradingPort {
  if (fill.model !== 'candles') return trading;
  return tradesAtClose(fill) ? held.guard(trading) : held.wrap(trading);
}

function worthsOf(sources: readonly Source[]): Map<string, Worth> {
  return new Map(
    sources.flatMap(({ market, worth }) => (worth === undefined ? [] : [[market.id, worth]])),
  );
}

/** The exchange behind a line that outages cut; the exchange itself where there are none. */
function breakable(
  exchange: Exchange,
  options: BacktestExchangeParts & Pick<BacktestExchange, 'line'> & { config: BacktestConfig },
): Exchange {
  const { clock, outages, random, answerTimeoutMs: giveUpMs, line, config } = options;
  const { arriving } = config.simulate.outages ?? {};
  if (arriving === undefined || outages.length === 0) return exchange;
  const draws = random.fork('requests in outages');
  return behindBrokenLine(exchange, {
    ...{ clock, giveUpMs, stands: standing(outages, clock) },
    isCut: (fromMs, toMs) => line.isSlow && isTouched(outages, fromMs, toMs),
    arrives: () => draws.next() < arriving,
  });
}

type Amounts = Readonly<Record<string, string>>;

/** The sums of both amounts, by currency. */
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
    case 'quotes':
      return { kind: fill.model, model: host.fillBy(id, (market) => new DepthModel(market, fill)) };
    default:
      return fill satisfies never;
  }
}
