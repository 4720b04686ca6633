import type { Observable } from 'rxjs';
import type { StrategyInstance } from '../../engine/index.ts';
import { MINUTE_MS, seededRandom, VirtualClock } from '../../kernel/index.ts';
import type { HashJournal } from '../../storage/index.ts';
import type { Bot } from '../compose.ts';
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
import { accountCurrency, type BacktestDeployment } from './deployment.ts';
import { type BacktestExchange, openBacktestExchange } from './exchange.ts';
import { openFeed } from './feeds/open-feed.ts';
import type { RecordedPrices } from './feeds/prices.ts';
import type { RowFeed } from './feeds/row-feed.ts';
import { heardPrices } from './hearing/heard-prices.ts';
import { Hearings, type HearingsParts } from './hearing/hearings.ts';
import { type BacktestLatency, openBacktestLatency } from './hearing/latency.ts';
import { tellOutages } from './hearing/outage-news.ts';
import { outageSpans } from './hearing/outages.ts';
import { EquityMeter } from './meters/equity-meter.ts';
import { Markouts } from './meters/markouts.ts';
import { Meters } from './meters/meters.ts';
import { type Valuation, valuationOf } from './meters/valuation.ts';
import { EarlyWishes } from './notes/early-wishes.ts';
import { Endings } from './notes/endings.ts';
import { FirstRefusals } from './notes/first-refusals.ts';
import { MachineReads } from './notes/machine-reads.ts';
import { SizeLimits } from './notes/size-limits.ts';
import { StrayWishes } from './notes/stray-wishes.ts';
import { UnmetOrders } from './notes/unmet-orders.ts';
import { UnpaidFees } from './notes/unpaid-fees.ts';
import { Charts } from './record/charts.ts';
import { Recorder } from './record/recorder.ts';
import { type ShownNames, shownNames } from './record/shown-names.ts';
import type { Spools } from './record/spools.ts';
import { StrategyLog } from './record/strategy-log.ts';
import { backtestSetting } from './refusal-settings.ts';
import { composeReplayed } from './replayed-bot.ts';
import type { Heard } from './senses.ts';
import { simulatedConfig } from './simulated-config.ts';
import { Rates } from './worth/rates.ts';

/** Ticks have no step of their own: the shortest of these that keeps to the most points counts. */
const TICK_STEPS_MS = [1_000, 10_000, MINUTE_MS];
const TICK_POINTS_MAX = 20_000;

/** All the parts of one run. */
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
  readonly rates: Rates;
  readonly recorder: Recorder;
  readonly firstRefusals: FirstRefusals;
  readonly sizeLimits: SizeLimits;
  readonly unpaidFees: UnpaidFees;
  readonly endings: Endings;
  readonly early: EarlyWishes;
  readonly strays: StrayWishes;
  readonly machineReads: MachineReads;
  readonly unmet: UnmetOrders;
  readonly journal: HashJournal;
  readonly charts: Charts;
  /** In the order of the deployment. */
  readonly strategies: readonly StrategyInstance[];
  readonly names: ShownNames;
  /** What the strategies logged. */
  readonly log: StrategyLog;
  /** What strategies are told of the time before the run. */
  readonly known: KnownHistory;
  readonly feeds: readonly RowFeed[];
  /** When the line to the exchange is cut. */
  readonly outages: readonly Span[];
  /** The deployment as it is simulated. */
  readonly config: DeploymentConfig;
  /** The currency that the account is valued in. */
  readonly currency: string;
}

/** What is replayed, and where the run is recorded. */
export interface Played {
  readonly sources: readonly Source[];
  readonly period: Period;
  readonly journal: HashJournal;
  /** Where orders, fills and samples are kept. */
  readonly spools: Spools;
  /** The period whose data recorded latencies are taken from. Default: `period`. */
  readonly surveyed?: Period | undefined;
  readonly stop?: Observable<StopRequest> | undefined;
}

/** Puts a run together. @throws {AppError} for settings that cannot be met. */
export async function setStage(deployment: BacktestDeployment, played: Played): Promise<Stage> {
  const { sources, period, stop, surveyed = period } = played;
  requireKnownVolume(deployment, sources);
  const { backtest, yaml } = deployment;
  const clock = new VirtualClock(period.warmFromMs);
  const config = simulatedConfig(deployment, sources);
  const random = seededRandom(config.seed ?? '');
  const latency = await openBacktestLatency(deployment, { sources, surveyed, random });
  const heard = openHearings(deployment, { sources, latency, period: surveyed, clock, random });
  const { outages, hearings } = heard;
  const { answerTimeoutMs } = deployment.config.executor;
  const exchange = openBacktestExchange(deployment, {
    ...{ clock, sources, latency, outages, random, answerTimeoutMs },
  });
  const markets = new Map(sources.map(({ market }) => [market.id, market]));
  const strategies = await loadStrategies({ entries: config.strategies, yaml, stop }, markets);
  const names = shownNames(config.strategies, strategies);
  const log = new StrategyLog(clock, { names, blot: blotOf(deployment.config) });
  const known = new KnownHistory(sources, period);
  const early = new EarlyWishes(names);
  const strays = new StrayWishes(names);
  const isToldAtOnce = latency.isInstant && heard.hearings === undefined;
  const noting = { log, early, strays };
  const named = { config, clock, random, exchange, known, markets, strategies };
  const parts = { ...named, ...noting, ...heard, isToldAtOnce };
  const replayed = composeReplayed(deployment, { ...played, ...parts });
  const { bot, prices } = replayed;
  const currency = accountCurrency(deployment);
  const finestMs = Math.min(...sources.map((source) => finestOf(source, period)));
  const charts = new Charts({ ...period, stepMs: finestMs, markets: sources.length });
  const valuation = valuationOf(deployment, { period, finestMs });
  const measured = openMeters({ ...played, bot, prices, currency, valuation, lent: backtest.lent });
  const rates = new Rates({ markets: sources.map(({ market }) => market), prices, currency });
  const recorder = new Recorder(bot.bus, {
    ...{ markets: bot.sources.markets, prices, rates, spools: played.spools, names },
    onFill: measured.meters.addFill,
    taken: exchange.taken,
  });
  const notes = openNotes(deployment, { ...played, bot, config, names });
  strays.count(bot.bus);
  const { fill, closeAtEnd } = backtest;
  const feeds = sources.map((source) =>
    openFeed(source, {
      ...{ ...replayed, clock, exchange, charts, latency, hearings, period },
      holdsLast: closeAtEnd === 'open',
      holdsOrders: fill.model === 'candles' && fill.at !== 'thisClose',
      volumeCap: fill.model === 'candles' ? fill.volumeCap : null,
      ...heardPrices(fill),
    }),
  );
  if (hearings !== undefined) {
    const { staleAfterMs } = config.data;
    tellOutages({ clock, sources, outages, hearings, staleAfterMs, prices });
  }
  const kept = { ...measured, ...notes, early, strays, recorder, charts };
  const shared = { clock, bot, exchange, latency, prices, rates, feeds, outages, config };
  const valued = { currency, valuation };
  return { ...played, ...shared, ...valued, ...kept, strategies, names, log, known };
}

type Notes = Pick<
  Stage,
  'unpaidFees' | 'firstRefusals' | 'sizeLimits' | 'endings' | 'machineReads' | 'unmet'
>;

/** Opens what gathers notes for the reader while the run goes on. */
function openNotes(
  { backtest: { fees, fill } }: BacktestDeployment,
  parts: Pick<Stage, 'sources' | 'period' | 'bot' | 'config' | 'names'>,
): Notes {
  const { sources, period, bot, config, names } = parts;
  const { bus } = bot;
  const settingOf = settingsOf(config.risk, backtestSetting);
  return {
    unpaidFees: new UnpaidFees({ bus, markets: bot.sources.markets, fees }),
    firstRefusals: new FirstRefusals({ bus, fees, settingOf, names }),
    sizeLimits: new SizeLimits(bus, config.risk),
    endings: new Endings(bus, names),
    machineReads: new MachineReads(),
    unmet: new UnmetOrders({ bus, sources, fill, toMs: period.toMs }),
  };
}

interface MetersParts extends Played, Pick<Stage, 'bot' | 'prices' | 'currency' | 'valuation'> {
  readonly lent: Readonly<Record<string, string>>;
}

function openMeters(parts: MetersParts): Pick<Stage, 'meter' | 'markouts' | 'meters'> {
  const { sources, period, spools, bot, prices, currency, valuation, lent } = parts;
  const meter = new EquityMeter({
    ...{ bus: bot.bus, prices, currency, balances: bot.balances, lent },
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

/** Draws the outages, and opens the hearings if polls or outages are simulated. */
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

/** The shortest step that makes sense for the curve and the chart of a market. */
function finestOf({ kind, stepMs }: Source, { fromMs, toMs }: Period): number {
  if (kind === 'candles') return stepMs;
  const isEnough = (ms: number): boolean => (toMs - fromMs) / ms <= TICK_POINTS_MAX;
  return TICK_STEPS_MS.find(isEnough) ?? MINUTE_MS;
}
