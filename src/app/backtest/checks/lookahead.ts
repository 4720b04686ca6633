import type { TradingEvent } from '../../../domain/index.ts';
import { AppError } from '../../errors.ts';
import { openSources } from '../data/data.ts';
import { type Period, periodOf } from '../data/period.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { heardPrices } from '../hearing/heard-prices.ts';
import { type CheckEndings, checkEndings } from '../notes/endings.ts';
import { type BacktestOptions, runBacktest } from '../run-backtest.ts';
import { type Parting, partingOf } from './lookahead-compare.ts';

/** The options of a run; the sources are read once for each cut. */
export interface LookaheadOptions
  extends Pick<BacktestOptions, 'deployment' | 'sources' | 'stop' | 'onProgress'> {
  /** How many cuts to spread over the period, and as many again right after wishes. Default: 8. */
  readonly cuts?: number;
}

/** A run on the beginning of the data. */
export interface PrefixRun {
  /** Where the data ended, milliseconds since the epoch. */
  readonly cutMs: number;
  /** How many wishes it has in common with the whole run. */
  readonly agreed: number;
  /** Where it first differs from the whole run; undefined where it does not. */
  readonly parting: Parting | undefined;
}

/** Whether any decision depended on data that were still to come. */
export interface LookaheadReport extends CheckEndings {
  /** How many wishes the run on all data made. */
  readonly intents: number;
  readonly period: Period;
  /** Ordered by their cuts, the earliest first. */
  readonly prefixes: readonly PrefixRun[];
  /** Whether the check was interrupted before all cuts were made. */
  readonly interrupted: boolean;
}

const CUTS = 8;

/**
 * Runs on all data, then on beginnings of them: as long as the data are the same, everything
 * decided and done must be the same.
 *
 * The beginnings end at places spread evenly over the period, and right after wishes: a strategy
 * that looks a single row ahead finds nothing there.
 *
 * @throws {AppError} as `runBacktest` does; `configuration` where opens are heard.
 */
export async function checkLookahead(options: LookaheadOptions): Promise<LookaheadReport> {
  const { cuts = CUTS } = options;
  requireUnheardOpens(options.deployment);
  // A run that closes positions at its end would trade where the others do not.
  const backtest = { ...options.deployment.backtest, closeAtEnd: 'none' as const };
  const deployment = { ...options.deployment, backtest };
  const { sources = await openSources(deployment), onProgress, stop } = options;
  const period = periodOf(deployment, sources);
  let interrupted = false;
  let told: CheckEndings | undefined;
  const eventsUntil = async (toMs: number): Promise<readonly TradingEvent[]> => {
    const events: TradingEvent[] = [];
    const onEvent = (event: TradingEvent): void => void events.push(event);
    const result = await runBacktest({
      ...{ deployment, period: { ...period, toMs }, surveyed: period },
      ...{ sources: options.sources, onEvent, onProgress, stop },
    });
    interrupted ||= result.interrupted;
    // The first run is the one on all data.
    told ??= checkEndings(result.record);
    return events;
  };
  const whole = await eventsUntil(period.toMs);
  const intents = whole.filter((event) => event.kind === 'intent');
  const prefixes: PrefixRun[] = [];
  const stepMs = Math.max(...sources.map((source) => source.stepMs));
  const hasTicks = sources.some(({ kind }) => kind !== 'candles');
  const wishTimes = intents.map(({ time }) => time);
  for (const cutMs of cutsOf(period, { wishTimes, count: cuts, stepMs, hasTicks })) {
    if (interrupted) break;
    const prefix = await eventsUntil(cutMs);
    // A candle is heard once it is over; ticks after a cut may be on their way at the same time.
    const untilMs = hasTicks ? cutMs : Number.POSITIVE_INFINITY;
    if (!interrupted) prefixes.push({ cutMs, ...partingOf(whole, prefix, { cutMs, untilMs }) });
  }
  return { intents: intents.length, period, prefixes, interrupted, ...told! };
}

/** Refuses runs that hear opens: at a cut the whole run hears an open that the other lacks. */
function requireUnheardOpens({ backtest: { fill }, yaml }: BacktestDeployment): void {
  const { hearsOpens, walks } = heardPrices(fill);
  if (!hearsOpens) return;
  const heard = walks ? 'prices within candles' : 'opens';
  throw new AppError(
    'configuration',
    `${yaml.locate(['backtest', 'fill', 'at'])}: Cannot look for look-ahead: ${heard} are heard, ` +
      'nextOpen is wanted for this check',
  );
}

/** The times of cuts: at each, a row of any market is either whole or not there. */
export function cutsOf(
  { fromMs, toMs }: Pick<Period, 'fromMs' | 'toMs'>,
  options: {
    /** When wishes were made, in rising order. */
    readonly wishTimes: readonly number[];
    readonly count: number;
    readonly stepMs: number;
    /** Whether a row may be heard at its own time: a cut then has to come after it. */
    readonly hasTicks: boolean;
  },
): number[] {
  const { wishTimes, count, stepMs, hasTicks } = options;
  const places = Array.from({ length: count }, (_, at) => (at + 1) / (count + 1));
  const spread = places.map((share) => fromMs + share * (toMs - fromMs));
  const behindMs = hasTicks ? stepMs : 0;
  const wishes = places.map((share) => {
    const time = wishTimes[Math.floor(share * wishTimes.length)];
    return time === undefined ? toMs : time + behindMs;
  });
  const cuts = [...spread, ...wishes].map((time) => Math.floor(time / stepMs) * stepMs);
  const inside = cuts.filter((cut) => cut > fromMs && cut < toMs);
  return [...new Set(inside)].sort((a, b) => a - b);
}
