import type { Observable } from 'rxjs';
import type { Interval, Market, TradingEvent } from '../../domain/index.ts';
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
import { type Bot, type BotParts, composeBot } from '../compose.ts';
import type { DeploymentConfig } from '../config/deployment.ts';
import { settingsOf } from '../refusal-settings.ts';
import { blotOf } from '../secrets.ts';
import type { StopRequest } from '../session.ts';
import { loadStrategies } from '../strategies/load-strategies.ts';
import type { Span } from './data/findings/span.ts';
import { KnownHistory } from './data/known-history.ts';
import { requireKnownVolume } from './data/known-volume.ts';
import type { Period } from './data/period.ts';
import type { Source } from './data/source.ts';
import type { BacktestDeployment } from './deployment.ts';
import { type BacktestExchange, openBacktestExchange } from './exchange.ts';
import { openFeed } from './feeds/open-feed.ts';
import { RecordedPrices } from './feeds/prices.ts';
import type { RowFeed } from './feeds/row-feed.ts';
import { chargesOf } from './fees.ts';
import { heardPrices } from './hearing/heard-prices.ts';
import { Hearings, type HearingsParts } from './hearing/hearings.ts';
import { type BacktestLatency, openBacktestLatency } from './hearing/latency.ts';
import { tellOutages } from './hearing/outage-news.ts';
import { outageSpans } from './hearing/outages.ts';
import { EquityMeter } from './meters/equity-meter.ts';
import { Markouts } from './meters/markouts.ts';
import { Meters } from './meters/meters.ts';
import { type Valuation, valuationOf } from './meters/valuation.ts';
import type { RunJournal } from './output/run-journal.ts';
import { Charts } from './record/charts.ts';
import { Endings } from './record/endings.ts';
import { FirstRefusals } from './record/first-refusals.ts';
import { Recorder } from './record/recorder.ts';
import { type ShownNames, shownNames } from './record/shown-names.ts';
import type { Spools } from './record/spools.ts';
import { StrategyLog } from './record/strategy-log.ts';
import { UnpaidFees } from './record/unpaid-fees.ts';
import { backtestSetting } from './refusal-settings.ts';
import { partsFollow, simulatedConfig } from './simulated-config.ts';

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
  readonly markouts: Markouts;
  readonly meters: Meters;
  readonly valuation: Valuation;
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
  /** When the line to the exchange is cut. */
  readonly outages: readonly Span[];
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
  readonly stop?: Observable<StopRequest> | undefined;
}

/** Orders that are over and known again where all is told at once: those that end together. */
const ORDERS_KEPT = 256;

/** Puts a run together. @throws {AppError} for what the settings ask for and cannot have. */
export async function setStage(deployment: BacktestDeployment, played: Played): Promise<Stage> {
  const { sources, period, stop, surveyed = period } = played;
  requireKnownVolume(deployment, sources);
  const { backtest } = deployment;
  const clock = new VirtualClock(period.warmFromMs);
  const config = simulatedConfig(deployment, sources);
  const random = seededRandom(config.seed ?? '');
  const latency = await openBacktestLatency(deployment, { sources, surveyed, random });
  const heard = openHearings(deployment, { sources, latency, period: surveyed, clock, random });
  const { outages, hearings } = heard;
  const { answerTimeoutMs } = deployment.config.executor;
  const exchange = openBacktestExchange(backtest, {
    ...{ clock, sources, latency, outages, random, answerTimeoutMs },
  });
  const markets = new Map(sources.map(({ market }) => [market.id, market]));
  const { yaml } = deployment;
  const strategies = await loadStrategies({ entries: config.strategies, yaml, stop }, markets);
  const names = shownNames(config.strategies, strategies);
  const log = new StrategyLog(clock, { names, blot: blotOf(deployment.config) });
  const known = new KnownHistory(sources, period);
  const isToldAtOnce = latency.isInstant && heard.hearings === undefined;
  const named = { config, clock, random, exchange, log, known, markets, strategies };
  const parts = { ...named, ...heard, isToldAtOnce };
  const { bot, prices, streams } = composeReplayed(deployment, { ...played, ...parts });
  const quote = sources[0]!.market.quote;
  const finestMs = Math.min(...sources.map((source) => finestOf(source, period)));
  const charts = new Charts({ ...period, stepMs: finestMs });
  const valuation = valuationOf(deployment, { period, finestMs });
  const measured = openMeters({ ...played, bot, prices, quote, valuation, lent: backtest.lent });
  const recorder = new Recorder(bot.bus, {
    ...{ markets: bot.sources.markets, prices, spools: played.spools, names },
    onFill: measured.meters.addFill,
    taken: exchange.taken,
  });
  const unpaidFees = new UnpaidFees({
    ...{ bus: bot.bus, markets: bot.sources.markets, fees: backtest.fees },
  });
  const firstRefusals = new FirstRefusals({
    ...{ bus: bot.bus, fees: backtest.fees },
    settingOf: settingsOf(config.risk, backtestSetting),
  });
  const endings = new Endings(bot.bus, names);
  const { fill, closeAtEnd } = backtest;
  const feeds = sources.map((source) =>
    openFeed(source, {
      ...{ clock, bot, streams, exchange, prices, charts, latency, hearings, period },
      holdsLast: closeAtEnd === 'open',
      volumeCap: fill.model === 'candles' ? fill.volumeCap : null,
      ...heardPrices(fill),
    }),
  );
  if (hearings !== undefined) {
    const { staleAfterMs } = config.data;
    tellOutages({ clock, sources, outages, hearings, staleAfterMs, prices });
  }
  const kept = {
    ...measured,
    valuation,
    recorder,
    firstRefusals,
    unpaidFees,
    endings,
    charts,
  };
  const shared = { clock, bot, exchange, latency, prices, feeds, outages, config, quote };
  return { ...played, ...shared, ...kept, strategies, names, log, known };
}

interface MetersParts extends Played, Pick<Stage, 'bot' | 'prices' | 'quote' | 'valuation'> {
  readonly lent: Readonly<Record<string, string>>;
}

function openMeters(parts: MetersParts): Pick<Stage, 'meter' | 'markouts' | 'meters'> {
  const { sources, period, spools, bot, prices, quote, valuation, lent } = parts;
  const meter = new EquityMeter({
    ...{ bus: bot.bus, prices, quote, balances: bot.balances, lent },
    markets: sources.map(({ market }) => market),
    positions: bot.sources.positions,
    ...{ fromMs: period.fromMs, toMs: period.toMs, spool: spools.samples },
    everyMs: valuation.everyMs,
  });
  const ofCandles = sources.filter(({ kind }) => kind === 'candles');
  const stepsMs = new Map(ofCandles.map(({ market, stepMs }) => [market.id, stepMs]));
  const markouts = new Markouts({ prices, stepsMs, toMs: period.toMs });
  return { meter, markouts, meters: new Meters(meter, markouts) };
}

interface Heard {
  readonly outages: readonly Span[];
  readonly hearings: Hearings | undefined;
}

/** When the line is cut, and when data are heard: undefined where neither polls nor outages are. */
function openHearings(
  deployment: BacktestDeployment,
  parts: Omit<HearingsParts, 'outages'>,
): Heard {
  const { outages: settings, polls } = deployment.backtest.simulate;
  const outages = settings === undefined ? [] : outageSpans(settings, parts);
  const isAsHeard = !polls && outages.length === 0;
  return {
    outages,
    hearings: isAsHeard ? undefined : new Hearings(deployment, { ...parts, outages }),
  };
}

interface ReplayedParts extends Played, Heard {
  readonly config: DeploymentConfig;
  readonly clock: VirtualClock;
  readonly random: ReturnType<typeof seededRandom>;
  readonly exchange: BacktestExchange;
  /** Whether news of orders take no time, and none are lost. */
  readonly isToldAtOnce: boolean;
  readonly log: StrategyLog;
  readonly known: KnownHistory;
  readonly markets: ReadonlyMap<string, Market>;
  readonly strategies: readonly StrategyInstance[];
}

/** The bot, its market data published straight on its bus. */
function composeReplayed(
  { backtest, config: written }: BacktestDeployment,
  { config, clock, random, exchange, log, known, markets, strategies, ...played }: ReplayedParts,
): { bot: Bot } & ReplayedSenses {
  const { journal, period, sources, isToldAtOnce } = played;
  let senses: ReplayedSenses | undefined;
  // The keys that the deployment names for its live runs stand in the environment here too.
  const blot = blotOf(written);
  const bot = composeBot({
    ...{ config, clock, random, markets, journal, past: undefined, blot },
    strategies: strategies.map((strategy) => known.passedOver(strategy)),
    exchange: exchange.exchange,
    ...{ logger: silentLogger, strategyLogger: log },
    openData: (bus) => {
      senses = openSenses(bus, { clock, config, known, ...played });
      const candlesOf = new Map(sources.flatMap(candlesTold));
      return { view: senses.prices, streams: senses.streams, candlesOf };
    },
    // Without timed cancels nobody waits for a sign of life: time passes without a timer.
    ...(backtest.simulate.heartbeats
      ? {}
      : { heartbeat: noHeartbeat, signOfLifeMs: Number.POSITIVE_INFINITY }),
    fees: feesOn(exchange, { backtest, markets }),
    exchangeSetting: backtestSetting,
    // Where all is told at once, nothing is told late.
    ordersKeptMax: isToldAtOnce ? ORDERS_KEPT : undefined,
    partsFollow: partsFollow(backtest),
    tradesFromMs: period.fromMs,
  });
  return { bot, ...senses! };
}

/** Fees beyond the rates, rounded up as the exchange does: to what its wallets hold of each currency. */
function feesOn(
  { host }: BacktestExchange,
  { backtest, markets }: Pick<BacktestDeployment, 'backtest'> & Pick<ReplayedParts, 'markets'>,
): NonNullable<BotParts['fees']> {
  const currencies = [...markets.values()].flatMap(({ base, quote }) => [base, quote]);
  const scales = new Map(currencies.map((currency) => [currency, host.scaleOf(currency)]));
  return { in: backtest.fees.in, charges: chargesOf(backtest.fees), scales };
}

interface ReplayedSenses {
  readonly prices: RecordedPrices;
  readonly streams: DirectStreams;
}

function openSenses(
  bus: Bus<TradingEvent>,
  {
    clock,
    config,
    sources,
    known,
    ...heard
  }: Heard & Pick<ReplayedParts, 'clock' | 'config' | 'sources' | 'known'>,
): ReplayedSenses {
  const ids = sources.map(({ market }) => market.id);
  const books = sources.filter(({ kind }) => kind === 'depth');
  const withBook = new Set(books.map(({ market }) => market.id));
  const view = new MarketView({ clock, bus, staleAfterMs: config.data.staleAfterMs });
  const prices = new RecordedPrices({ clock, bus, view, markets: ids, withBook });
  const recorded = new Map(sources.map((source) => [source.market.id, recordedOf(source, heard)]));
  const { candleHistory, candleGraceMs } = config.data;
  const waits = { candleHistory, candleGraceMs: heard.hearings?.graceMs ?? candleGraceMs };
  const history = { clock, config: waits, past: known };
  return { prices, streams: new DirectStreams({ bus, recorded, history }) };
}

/** A market that is told of by candles, and their length. */
function candlesTold(source: Source): readonly (readonly [string, Interval])[] {
  return source.kind === 'candles' ? [[source.market.id, source.interval]] : [];
}

function recordedOf(source: Source, heard: Heard): RecordedData {
  const { name, market } = source;
  switch (source.kind) {
    // Best prices are made up where no book was recorded.
    case 'candles':
      return { name, kinds: new Set(['candle', 'depth']), interval: source.interval };
    case 'trades':
    case 'depth':
      return {
        ...{ name, kinds: new Set(['trade', 'depth', 'candle']) },
        prints: { amountScale: market.amountScale, outages: silencesOf(source, heard) },
      };
    default:
      return source satisfies never;
  }
}

/** When no trades are heard: in gaps of the data, and in outages until they are read. */
function silencesOf(source: Source, { outages, hearings }: Heard): readonly Silence[] {
  const { gaps = [] } = source;
  if (hearings === undefined || outages.length === 0) return gaps;
  const unheard = outages.map((outage) => ({
    from: outage.fromMs,
    to: hearings.backMs(source, { kind: 'trades', outage }) + 1,
  }));
  return [...gaps, ...unheard].sort((a, b) => a.from - b.from);
}

type Silence = Readonly<Record<'from' | 'to', number>>;

/** The shortest time that makes sense for a market's curve and chart. */
function finestOf({ kind, stepMs }: Source, { fromMs, toMs }: Period): number {
  if (kind === 'candles') return stepMs;
  const isEnough = (ms: number): boolean => (toMs - fromMs) / ms <= TICK_POINTS_MAX;
  return TICK_STEPS_MS.find(isEnough) ?? MINUTE_MS;
}
