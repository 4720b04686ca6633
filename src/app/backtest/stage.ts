import type { TradingEvent } from '../../domain/index.ts';
import { INTERVAL_MS } from '../../domain/index.ts';
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
import { Charts } from './charts.ts';
import type { Period } from './data.ts';
import type { BacktestDeployment } from './deployment.ts';
import { EquityMeter } from './equity-meter.ts';
import { type BacktestExchange, openBacktestExchange } from './exchange.ts';
import { openFeed } from './feeds.ts';
import { type BacktestLatency, openBacktestLatency } from './latency.ts';
import { RecordedPrices } from './prices.ts';
import { Recorder } from './recorder.ts';
import type { RowFeed } from './row-feed.ts';
import type { RunJournal } from './run-journal.ts';
import { simulatedConfig } from './simulated-config.ts';
import type { Source } from './source.ts';
import { StrategyLog } from './strategy-log.ts';

/** Most samples of the account where nobody says how often: ten years of hours, two of minutes. */
const SAMPLES_MAX = 1_100_000;

/** Everything that one run consists of. */
export interface Stage {
  readonly sources: readonly Source[];
  readonly period: Period;
  readonly clock: VirtualClock;
  readonly bot: Bot;
  readonly exchange: BacktestExchange;
  readonly latency: BacktestLatency;
  readonly meter: EquityMeter;
  readonly recorder: Recorder;
  readonly journal: RunJournal;
  readonly charts: Charts;
  /** What the strategies said. */
  readonly log: StrategyLog;
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
}

/** Puts a run together. @throws {AppError} for what the settings ask for and cannot have. */
export async function setStage(deployment: BacktestDeployment, played: Played): Promise<Stage> {
  const { sources, period } = played;
  const { backtest } = deployment;
  const clock = new VirtualClock(period.warmFromMs);
  const config = simulatedConfig(deployment, sources);
  const random = seededRandom(config.seed ?? '');
  const latency = await openBacktestLatency(deployment, { ...played, random });
  const exchange = openBacktestExchange(backtest, { clock, sources, latency });
  const log = new StrategyLog(clock);
  const parts = { config, clock, random, exchange, log };
  const { bot, prices, streams } = await composeReplayed(deployment, { ...played, ...parts });
  const quote = sources[0]!.market.quote;
  const finestMs = Math.min(...sources.map(finestOf));
  const charts = new Charts({ ...period, stepMs: finestMs });
  const meter = new EquityMeter({
    ...{ bus: bot.bus, prices, quote, balances: bot.balances },
    markets: sources.map(({ market }) => market),
    positions: bot.sources.positions,
    ...{ fromMs: period.fromMs, toMs: period.toMs },
    everyMs: sampledEvery(deployment, { period, finestMs }),
  });
  const recorder = new Recorder(bot.bus, { markets: bot.sources.markets, prices });
  const holdsLast = backtest.closeAtEnd === 'open';
  const feeds = sources.map((source) =>
    openFeed(source, { holdsLast, clock, bot, streams, exchange, prices, charts, latency, period }),
  );
  const kept = { meter, recorder, charts, log };
  return { ...played, clock, bot, exchange, latency, feeds, config, quote, ...kept };
}

interface ReplayedParts extends Played {
  readonly config: DeploymentConfig;
  readonly clock: VirtualClock;
  readonly random: ReturnType<typeof seededRandom>;
  readonly exchange: BacktestExchange;
  readonly log: StrategyLog;
}

/** The bot, its market data published straight on its bus. */
async function composeReplayed(
  { yaml, backtest }: BacktestDeployment,
  { config, clock, random, exchange, log, journal, sources, period }: ReplayedParts,
): Promise<{ bot: Bot } & ReplayedSenses> {
  const markets = new Map(sources.map(({ market }) => [market.id, market]));
  const strategies = await loadStrategies({ entries: config.strategies, yaml }, markets);
  let senses: ReplayedSenses | undefined;
  const bot = composeBot({
    ...{ config, clock, random, markets, strategies, journal, past: undefined },
    exchange: exchange.exchange,
    ...{ logger: silentLogger, strategyLogger: log },
    openData: (bus) => {
      senses = openSenses(bus, { clock, config, sources });
      return { view: senses.prices, streams: senses.streams };
    },
    // Without timed cancels nobody waits for a sign of life: time passes without a timer.
    ...(backtest.simulate.heartbeats
      ? {}
      : { heartbeat: noHeartbeat, signOfLifeMs: Number.POSITIVE_INFINITY }),
    feesIn: backtest.fees.in,
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
  { clock, config, sources }: Pick<ReplayedParts, 'clock' | 'config' | 'sources'>,
): ReplayedSenses {
  const ids = sources.map(({ market }) => market.id);
  const recorded = sources.filter(({ kind }) => kind === 'depth');
  const withBook = new Set(recorded.map(({ market }) => market.id));
  const view = new MarketView({ clock, bus, staleAfterMs: config.data.staleAfterMs });
  const prices = new RecordedPrices({ view, markets: ids, withBook });
  return { prices, streams: directStreams(bus, sources) };
}

const KINDS = {
  // Best prices are made up where no book was recorded.
  candles: new Set(['candle', 'depth'] as const),
  trades: new Set(['trade', 'depth'] as const),
  depth: new Set(['depth', 'trade'] as const),
};

function directStreams(bus: Bus<TradingEvent>, sources: readonly Source[]): DirectStreams {
  const recorded = sources.map((source): [string, RecordedData] => {
    const interval = source.kind === 'candles' ? source.interval : undefined;
    return [source.market.id, { name: source.name, kinds: KINDS[source.kind], interval }];
  });
  return new DirectStreams({ bus, recorded: new Map(recorded) });
}

/** The shortest time that makes sense for a market's curve and chart. */
function finestOf({ kind, stepMs }: Source): number {
  return kind === 'candles' ? stepMs : MINUTE_MS;
}

function sampledEvery(
  { backtest }: BacktestDeployment,
  { period, finestMs }: { readonly period: Period; readonly finestMs: number },
): number {
  if (backtest.equityEvery !== undefined) return INTERVAL_MS[backtest.equityEvery];
  const samples = (period.toMs - period.fromMs) / finestMs;
  return samples <= SAMPLES_MAX ? finestMs : Math.max(finestMs, INTERVAL_MS['1hour']);
}
