import type { Interval, Market } from '../../domain/index.ts';
import type { StrategyInstance } from '../../engine/index.ts';
import { noHeartbeat } from '../../execution/index.ts';
import { type seededRandom, silentLogger, type VirtualClock } from '../../kernel/index.ts';
import type { HashJournal } from '../../storage/index.ts';
import { type Bot, type BotParts, composeBot } from '../compose.ts';
import type { DeploymentConfig } from '../config/deployment.ts';
import { blotOf } from '../secrets.ts';
import type { KnownHistory } from './data/known-history.ts';
import type { Period } from './data/period.ts';
import type { Source } from './data/source.ts';
import type { BacktestDeployment } from './deployment.ts';
import type { BacktestExchange } from './exchange.ts';
import { trySeconds } from './feeds/second-tries.ts';
import { chargesOf } from './fees.ts';
import { tradesAtClose } from './hearing/heard-prices.ts';
import type { EarlyWishes } from './notes/early-wishes.ts';
import type { StrayWishes } from './notes/stray-wishes.ts';
import type { StrategyLog } from './record/strategy-log.ts';
import { backtestSetting } from './refusal-settings.ts';
import { type Heard, openSenses, type ReplayedSenses } from './senses.ts';
import { partsFollow } from './simulated-config.ts';

/** Ended orders that are remembered where all is told at once: those that end together fit. */
const ORDERS_KEPT = 256;

interface ReplayedParts extends Heard {
  readonly sources: readonly Source[];
  readonly period: Period;
  readonly journal: HashJournal;
  readonly config: DeploymentConfig;
  readonly clock: VirtualClock;
  readonly random: ReturnType<typeof seededRandom>;
  readonly exchange: BacktestExchange;
  /** Whether news of orders arrives at once and none is lost. */
  readonly isToldAtOnce: boolean;
  readonly log: StrategyLog;
  readonly known: KnownHistory;
  readonly early: EarlyWishes;
  readonly strays: StrayWishes;
  readonly markets: ReadonlyMap<string, Market>;
  readonly strategies: readonly StrategyInstance[];
}

/** Composes the bot of a backtest. Its market data are published straight on its bus. */
export function composeReplayed(
  { backtest, config: written }: BacktestDeployment,
  {
    config,
    clock,
    random,
    exchange,
    log,
    known,
    early,
    strays,
    markets,
    strategies,
    ...played
  }: ReplayedParts,
): { bot: Bot } & ReplayedSenses {
  const { journal, period, sources, isToldAtOnce } = played;
  let senses: ReplayedSenses | undefined;
  // The environment may hold the keys that the deployment uses live: they are kept out of logs.
  const blot = blotOf(written);
  const bot = composeBot({
    ...{ config, clock, random, markets, journal, past: undefined, blot },
    strategies: strategies.map((strategy) => strays.watched(known.passedOver(strategy))),
    exchange: exchange.exchange,
    ...{ logger: silentLogger, strategyLogger: log },
    openData: (bus) => {
      const isInHole = (market: string): boolean => exchange.held.isInHole(market);
      const missing = tradesAtClose(backtest.fill) ? { isInHole } : {};
      senses = openSenses(bus, { clock, config, known, ...missing, ...played });
      const candlesOf = new Map(sources.flatMap(candlesTold));
      return { view: senses.prices, streams: senses.streams, candlesOf };
    },
    // Without timed cancels nothing needs a sign of life, so no timer runs.
    ...(backtest.simulate.heartbeats
      ? {}
      : { heartbeat: noHeartbeat, signOfLifeMs: Number.POSITIVE_INFINITY }),
    fees: feesOn(exchange, { backtest, markets }),
    exchangeSetting: backtestSetting,
    // Where all is told at once, no news comes late for an order that has ended.
    ordersKeptMax: isToldAtOnce ? ORDERS_KEPT : undefined,
    partsFollow: partsFollow(backtest),
    pushesTellAll: !backtest.simulate.reconciliation,
    tradesFromMs: period.fromMs,
    onEarly: (strategy, intent) => early.add(strategy, intent),
  });
  // Refused wishes are retried by the engine's own timer, if it runs, and at every candle.
  const hasTicks = sources.some(({ kind }) => kind !== 'candles');
  if (hasTicks && !backtest.simulate.heartbeats) trySeconds({ clock, ...bot });
  return { bot, ...senses! };
}

/** Charges beyond the fee rates, and the wallets' scales, to which the exchange rounds fees up. */
function feesOn(
  { host }: BacktestExchange,
  { backtest, markets }: Pick<BacktestDeployment, 'backtest'> & Pick<ReplayedParts, 'markets'>,
): NonNullable<BotParts['fees']> {
  const currencies = [...markets.values()].flatMap(({ base, quote }) => [base, quote]);
  const scales = new Map(currencies.map((currency) => [currency, host.scaleOf(currency)]));
  return { in: backtest.fees.in, charges: chargesOf(backtest.fees), scales };
}

/** A market of candles with their interval; nothing for other data. */
function candlesTold(source: Source): readonly (readonly [string, Interval])[] {
  return source.kind === 'candles' ? [[source.market.id, source.interval]] : [];
}
