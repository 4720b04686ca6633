import type { Market, TradingEvent } from '../../domain/index.ts';
import { INTERVAL_MS } from '../../domain/index.ts';
import type { StrategyInstance } from '../../engine/index.ts';
import { noHeartbeat } from '../../execution/index.ts';
import {
  type Bus,
  MINUTE_MS,
  seededRandom,
  silentLogger,
  VirtualClock,
} from '../../kernel/index.ts';
import { DirectStreams, MarketView, type RecordedData } from '../../market/index.ts';
import { type Bot, composeBot } from '../compose.ts';
import type { DeploymentConfig } from '../config/deployment.ts';
import { loadStrategies } from '../load-strategies.ts';
import { settingsOf } from '../refusal-settings.ts';
import { Charts } from './charts.ts';
import type { Period } from './data.ts';
import { type BacktestDeployment, conventionsFor } from './deployment.ts';
import { Endings } from './endings.ts';
import { EquityMeter } from './equity-meter.ts';
import { type BacktestExchange, openBacktestExchange } from './exchange.ts';
import { openFeed } from './feeds.ts';
import { FirstRefusals } from './first-refusals.ts';
import { KnownHistory } from './known-history.ts';
import { type BacktestLatency, openBacktestLatency } from './latency.ts';
import { RecordedPrices } from './prices.ts';
import { Recorder } from './recorder.ts';
import { backtestSetting } from './refusal-settings.ts';
import type { RowFeed } from './row-feed.ts';
import type { RunJournal } from './run-journal.ts';
import { type ShownNames, shownNames } from './shown-names.ts';
import { simulatedConfig } from './simulated-config.ts';
import type { Source } from './source.ts';
import type { Spools } from './spools.ts';
import { StrategyLog } from './strategy-log.ts';
import { UnpaidFees } from './unpaid-fees.ts';

/** Most samples of the account where nobody says how often: ten years of hours, two of minutes. */
const SAMPLES_MAX = 1_100_000;
/** Ticks have no length of their own: the shortest of these with no more points than a chart has. */
const TICK_STEPS_MS = [1_000, 10_000, MINUTE_MS];
const TICK_POINTS_MAX = 20_000;

/** Everything that one run consists of. */
export interface Stage {
  readonly sources: readonly Source[];
  readonly period: Period;
  readonly clock: VirtualClock;
  readonly bot: Bot;
  readonly exchange: BacktestExchange;
  readonly latency: BacktestLatency;
  readonly meter: EquityMeter;
  readonly prices: RecordedPrices;
  readonly recorder: Recorder;
  readonly firstRefusals: FirstRefusals;
  readonly unpaidFees: UnpaidFees;
  readonly endings: Endings;
  readonly journal: RunJournal;
  readonly charts: Charts;
  /** In the order of the deployment. */
  readonly strategies: readonly StrategyInstance[];
  readonly names: ShownNames;
  /** What the strategies said. */
  readonly log: StrategyLog;
  /** What strategies are told of the time before the run. */
  readonly known: KnownHistory;
  readonly feeds: readonly RowFeed[];
  /** The deployment as it is simulated. */
  readonly config: DeploymentConfig;
  /** The currency that the account is valued in: that of the first market. */
  readonly quote: string;
}

/** What is replayed, from when to when, and where what happens is written down. */
export interface Played {
  readonly sources: readonly Source[];
  readonly period: Period;
  readonly journal: RunJournal;
  /** Where what becomes of orders is kept. */
  readonly spools: Spools;
  /** The data that recorded latencies are taken from. Default: those of the period. */
  readonly surveyed?: Period | undefined;
}

/** Puts a run together. @throws {AppError} for what the settings ask for and cannot have. */
export async function setStage(deployment: BacktestDeployment, played: Played): Promise<Stage> {
  const { sources, period, surveyed = period } = played;
  const { backtest } = deployment;
  const clock = new VirtualClock(period.warmFromMs);
  const config = simulatedConfig(deployment, sources);
  const random = seededRandom(config.seed ?? '');
  const latency = await openBacktestLatency(deployment, { sources, surveyed, random });
  const exchange = openBacktestExchange(backtest, { clock, sources, latency });
  const markets = new Map(sources.map(({ market }) => [market.id, market]));
  const { yaml } = deployment;
  const strategies = await loadStrategies({ entries: config.strategies, yaml }, markets);
  const names = shownNames(config.strategies, strategies);
  const log = new StrategyLog(clock, names);
  const known = new KnownHistory(sources, period);
  const parts = { config, clock, random, exchange, log, known, markets, strategies };
  const { bot, prices, streams } = composeReplayed(deployment, { ...played, ...parts });
  const quote = sources[0]!.market.quote;
  const finestMs = Math.min(...sources.map((source) => finestOf(source, period)));
  const charts = new Charts({ ...period, stepMs: finestMs });
  const meter = new EquityMeter({
    ...{ bus: bot.bus, prices, quote, balances: bot.balances, lent: backtest.lent },
    markets: sources.map(({ market }) => market),
    positions: bot.sources.positions,
    ...{ fromMs: period.fromMs, spool: played.spools.samples },
    everyMs: sampledEvery(deployment, { period, finestMs }),
  });
  const recorder = new Recorder(bot.bus, {
    ...{ markets: bot.sources.markets, prices, spools: played.spools, names },
  });
  const unpaidFees = new UnpaidFees({
    ...{ bus: bot.bus, markets: bot.sources.markets, feesIn: backtest.fees.in },
  });
  const firstRefusals = new FirstRefusals({
    ...{ bus: bot.bus, feesIn: backtest.fees.in },
    settingOf: settingsOf(config.risk, backtestSetting),
  });
  const endings = new Endings(bot.bus, names);
  const { fill, closeAtEnd } = backtest;
  const feeds = sources.map((source) =>
    openFeed(source, {
      ...{ clock, bot, streams, exchange, prices, charts, latency, period },
      holdsLast: closeAtEnd === 'open',
      volumeCap: fill.model === 'candles' ? fill.volumeCap : null,
      hearsOpens: fill.model === 'candles' && fill.at === 'heardOpen',
    }),
  );
  const kept = { strategies, meter, recorder, firstRefusals, unpaidFees, endings, charts };
  const shared = { clock, bot, exchange, latency, prices, feeds, config, quote };
  return { ...played, ...shared, ...kept, names, log, known };
}

interface ReplayedParts extends Played {
  readonly config: DeploymentConfig;
  readonly clock: VirtualClock;
  readonly random: ReturnType<typeof seededRandom>;
  readonly exchange: BacktestExchange;
  readonly log: StrategyLog;
  readonly known: KnownHistory;
  readonly markets: ReadonlyMap<string, Market>;
  readonly strategies: readonly StrategyInstance[];
}

/** The bot, its market data published straight on its bus. */
function composeReplayed(
  { backtest }: BacktestDeployment,
  { config, clock, random, exchange, log, known, markets, strategies, ...played }: ReplayedParts,
): { bot: Bot } & ReplayedSenses {
  const { journal, sources, period } = played;
  let senses: ReplayedSenses | undefined;
  const bot = composeBot({
    ...{ config, clock, random, markets, journal, past: undefined },
    strategies: strategies.map((strategy) => known.passedOver(strategy)),
    exchange: exchange.exchange,
    ...{ logger: silentLogger, strategyLogger: log },
    openData: (bus) => {
      senses = openSenses(bus, { clock, config, sources, known });
      return { view: senses.prices, streams: senses.streams };
    },
    // Without timed cancels nobody waits for a sign of life: time passes without a timer.
    ...(backtest.simulate.heartbeats
      ? {}
      : { heartbeat: noHeartbeat, signOfLifeMs: Number.POSITIVE_INFINITY }),
    feesIn: backtest.fees.in,
    exchangeSetting: backtestSetting,
    tradesFromMs: period.fromMs,
  });
  return { bot, ...senses! };
}

interface ReplayedSenses {
  readonly prices: RecordedPrices;
  readonly streams: DirectStreams;
}

function openSenses(
  bus: Bus<TradingEvent>,
  { clock, config, sources, known }: Pick<ReplayedParts, 'clock' | 'config' | 'sources' | 'known'>,
): ReplayedSenses {
  const ids = sources.map(({ market }) => market.id);
  const books = sources.filter(({ kind }) => kind === 'depth');
  const withBook = new Set(books.map(({ market }) => market.id));
  const view = new MarketView({ clock, bus, staleAfterMs: config.data.staleAfterMs });
  const prices = new RecordedPrices({ view, markets: ids, withBook });
  const recorded = new Map(sources.map((source) => [source.market.id, recordedOf(source)]));
  const history = { clock, config: config.data, past: known };
  return { prices, streams: new DirectStreams({ bus, recorded, history }) };
}

function recordedOf(source: Source): RecordedData {
  const { name, market, gaps = [] } = source;
  switch (source.kind) {
    // Best prices are made up where no book was recorded.
    case 'candles':
      return { name, kinds: new Set(['candle', 'depth']), interval: source.interval };
    case 'trades':
    case 'depth':
      return {
        ...{ name, kinds: new Set(['trade', 'depth', 'candle']) },
        prints: { amountScale: market.amountScale, outages: gaps },
      };
    default:
      return source satisfies never;
  }
}

/** The shortest time that makes sense for a market's curve and chart. */
function finestOf({ kind, stepMs }: Source, { fromMs, toMs }: Period): number {
  if (kind === 'candles') return stepMs;
  const isEnough = (ms: number): boolean => (toMs - fromMs) / ms <= TICK_POINTS_MAX;
  return TICK_STEPS_MS.find(isEnough) ?? MINUTE_MS;
}

function sampledEvery(
  deployment: BacktestDeployment,
  { period, finestMs }: { readonly period: Period; readonly finestMs: number },
): number {
  const { equityEvery } = deployment.backtest;
  if (equityEvery !== undefined) return INTERVAL_MS[equityEvery];
  const samples = (period.toMs - period.fromMs) / finestMs;
  if (samples <= SAMPLES_MAX) return finestMs;
  const { periodMs } = conventionsFor(deployment);
  return Math.max(finestMs, Math.min(INTERVAL_MS['1hour'], periodMs));
}
