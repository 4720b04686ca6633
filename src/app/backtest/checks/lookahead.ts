import type { TradingEvent } from '../../../domain/index.ts';
import { AppError } from '../../errors.ts';
import { openSources } from '../data/data.ts';
import { type Period, periodOf } from '../data/period.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { heardPrices } from '../hearing/heard-prices.ts';
import { type CheckEndings, checkEndings } from '../notes/endings.ts';
import { type BacktestOptions, runBacktest } from '../run-backtest.ts';
import { type Parting, partingOf } from './lookahead-compare.ts';

/** As those of a run; the sources are read once for each cut. */
export interface LookaheadOptions
  extends Pick<BacktestOptions, 'deployment' | 'sources' | 'stop' | 'onProgress'> {
  /** How many cuts to spread over the period, and as many right behind wishes. Default: 8. */
  readonly cuts?: number;
}

/** A run on the beginning of the data. */
export interface PrefixRun {
  /** Where the data ended, milliseconds since the epoch. */
  readonly cutMs: number;
  /** Wishes that it has in common with the whole run. */
  readonly agreed: number;
  /** Where it parts from the whole run; undefined where it does not. */
  readonly parting: Parting | undefined;
}

/** Whether what was decided depends on data that were still to come. */
export interface LookaheadReport extends CheckEndings {
  /** Wishes of the run on all data. */
  readonly intents: number;
  readonly period: Period;
  /** By their cuts, the earliest first. */
  readonly prefixes: readonly PrefixRun[];
  /** Whether it was ended before all cuts were made. */
  readonly interrupted: boolean;
}

const CUTS = 8;

/**
 * Runs on all data, then on their beginnings: as long as the data are the same, everything that is
 * decided and done must be the same.
 *
 * The data end at places spread evenly over the period, and right behind wishes: one that looked a
 * single row ahead has nothing to look at there.
 *
 * @throws {AppError} as `runBacktest` does; `configuration` where opens are heard.
 */
export async function checkLookahead(options: LookaheadOptions): Promise<LookaheadReport> {
  const { cuts = CUTS } = options;
  requireUnheardOpens(options.deployment);
  // At its end a run that is to be flat would trade where the others do not.
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
    // The first run is that on all data.
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
    // A candle is heard when all of it is over; ticks behind a cut may be under way when it comes.
    const untilMs = hasTicks ? cutMs : Number.POSITIVE_INFINITY;
    if (!interrupted) prefixes.push({ cutMs, ...partingOf(whole, prefix, { cutMs, untilMs }) });
  }
  return { intents: intents.length, period, prefixes, interrupted, ...told! };
}

/** A part of the data lacks the open at its cut, which is heard at the very time of the cut. */
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

/** Cuts on which every row of every market is either whole or not there. */
export function cutsOf(
  { fromMs, toMs }: Pick<Period, 'fromMs' | 'toMs'>,
  options: {
    /** When wishes were made, rising. */
    readonly wishTimes: readonly number[];
    readonly count: number;
    readonly stepMs: number;
    /** Whether a row may be heard at its own time: the cut has to be behind it. */
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
