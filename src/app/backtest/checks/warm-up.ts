import type { EventOf, Intent, TradingEvent } from '../../../domain/index.ts';
import { counted, HOUR_MS } from '../../../kernel/index.ts';
import { analyse, type Figure } from '../../../report/index.ts';
import { journalLine } from '../../../storage/index.ts';
import { deskOf } from '../../compare/digest.ts';
import { AppError } from '../../errors.ts';
import { openSources } from '../data/data.ts';
import { type Period, periodOf } from '../data/period.ts';
import { hasRows, playedFromMs, type Source } from '../data/source.ts';
import { type BacktestDeployment, conventionsFor } from '../deployment.ts';
import { type CheckEndings, checkEndings } from '../notes/endings.ts';
import { type BacktestOptions, runBacktest } from '../run-backtest.ts';

/** The options of a run, and how many warm-ups to try. */
export interface WarmUpOptions extends Pick<BacktestOptions, 'deployment' | 'stop' | 'onProgress'> {
  /** Most lengths of warm-up to try beside none, the configured and the longest. Default: 8. */
  readonly starts?: number;
}

/** A run with a certain length of warm-up. */
export interface WarmedRun {
  /** For how long it heard data before its wishes counted, milliseconds. */
  readonly warmUpMs: number;
  /** Whether this is the warm-up that the deployment asks for. */
  readonly isConfigured: boolean;
  readonly intents: number;
  /** The first wish unlike that of the longest warm-up; undefined where all are the same. */
  readonly parting: WarmUpParting | undefined;
  /** Its results: every metric of the report. */
  readonly figures: readonly Figure[];
}

/** Where the wishes of a run first differ from those after the longest warm-up. */
export interface WarmUpParting {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The run's wish; undefined where it made no further one. */
  readonly own: IntentEvent | undefined;
  readonly longest: IntentEvent | undefined;
}

/** A length of warm-up that hears the same data as a shorter one: no rows lie in between. */
export interface RepeatedWarmUp {
  /** The length, milliseconds. */
  readonly warmUpMs: number;
  /** The shorter length, milliseconds. */
  readonly asMs: number;
}

/** How decisions depend on when the run starts. */
export interface WarmUpReport extends CheckEndings {
  /** When wishes began to count, in every run, and when it ended: milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** When the deployment's own period begins: its part up to `fromMs` was used for warming up. */
  readonly periodFromMs: number;
  /** The shortest warm-up first. */
  readonly runs: readonly WarmedRun[];
  /** Lengths that would only repeat a shorter one. Of these only the configured one is run. */
  readonly repeated: readonly RepeatedWarmUp[];
  /** From this length on every run wishes as after the longest; undefined where only that does. */
  readonly settledMs: number | undefined;
  /** Whether the longest warm-up dropped every wish, so that nothing can be said. */
  readonly isLost: boolean;
  readonly interrupted: boolean;
}

type IntentEvent = EventOf<'intent'>;

interface HeardRun extends Pick<WarmedRun, 'warmUpMs' | 'figures'>, Pick<Standing, 'dropped'> {
  readonly intents: readonly IntentEvent[];
}

interface Standing {
  /** The dropped wishes that stood when the longest warm-up was over. */
  readonly dropped: ReadonlyMap<string, Intent>;
  /** Until when a first wish may repeat a dropped one, milliseconds since the epoch. */
  readonly untilMs: number;
}

const STARTS = 8;
/** The part of the period used for warming up where too few data lie before it. */
const WARM_PART = 0.25;

/**
 * Trades one period after warm-ups of different lengths: what a strategy wishes should not depend
 * on when it began to listen.
 *
 * @throws {AppError} as `runBacktest` does; `configuration` where the configured warm-up leaves
 * nothing of the period.
 */
export async function checkWarmUp(options: WarmUpOptions): Promise<WarmUpReport> {
  const { deployment, starts = STARTS, onProgress, stop } = options;
  const sources = await openSources(deployment);
  const firstMs = Math.max(...sources.map((source) => source.firstMs));
  const configuredMs = deployment.backtest.warmUpHours * HOUR_MS;
  const own = periodOf(deployment, sources);
  // Every start knows as much history as the deployment's own run.
  const knownMs = Math.max(0, own.warmFromMs - firstMs);
  // Before the data of some market begin, its strategies can't warm up.
  const whole = { ...own, fromMs: Math.max(own.fromMs, firstMs) };
  const { fromMs, toMs } = tradedPeriod(whole, { firstMs, configuredMs });
  if (fromMs >= toMs) throw nothingLeft(deployment, whole);
  const longestMs = fromMs - firstMs;
  const heard: HeardRun[] = [];
  let interrupted = false;
  let told: CheckEndings = { endings: [], isOver: false };
  const lengths = lengthsOf({ longestMs, configuredMs, starts });
  const repeated = await repeatedOf(lengths, { sources, fromMs });
  const isRun = (ms: number): boolean =>
    ms === configuredMs || repeated.every(({ warmUpMs }) => warmUpMs !== ms);
  for (const warmUpMs of lengths.filter(isRun)) {
    const warmFromMs = fromMs - warmUpMs;
    const warmed = { fromMs, toMs, warmFromMs, knownFromMs: warmFromMs - knownMs };
    const intents: IntentEvent[] = [];
    const onEvent = (event: TradingEvent): void => {
      if (event.kind === 'intent') intents.push(event);
    };
    const surveyed = { fromMs, toMs, warmFromMs: firstMs };
    const run = { deployment, period: warmed, surveyed, onEvent, onProgress, stop };
    const { record, dropped, interrupted: stopped } = await runBacktest(run);
    interrupted = stopped;
    told = checkEndings(record);
    if (interrupted) break;
    const { figures } = analyse(record, conventionsFor(deployment));
    heard.push({ warmUpMs, intents, dropped, figures });
  }
  const last = interrupted ? undefined : heard.at(-1);
  const longest = last?.intents ?? [];
  const runs = interrupted
    ? []
    : heard.map(({ warmUpMs, intents, figures }) => {
        // A first wish only after a warm-up shows that the strategy had not heard enough before.
        const untilMs = warmUpMs === 0 ? toMs : fromMs;
        const standing = last && { dropped: last.dropped, untilMs };
        return {
          ...{ warmUpMs, figures, isConfigured: warmUpMs === configuredMs },
          ...{ intents: intents.length, parting: warmUpPartingOf(intents, longest, standing) },
        };
      });
  const isLost = longest.length === 0 && runs.some(({ intents }) => intents > 0);
  const found = { fromMs, toMs, runs, repeated, settledMs: settledOf(runs), isLost };
  return { ...found, periodFromMs: whole.fromMs, interrupted, ...told };
}

/**
 * The runs, with the configured warm-up or a longer one, whose wishes differ from the longest's. If
 * there is any, it proves nothing that the configured warm-up itself agrees.
 */
export function partingRuns(runs: readonly WarmedRun[]): WarmedRun[] {
  const configured = runs.findIndex(({ isConfigured }) => isConfigured);
  return configured < 0
    ? []
    : runs.slice(configured).filter(({ parting }) => parting !== undefined);
}

/** The error where no data precede the configured warm-up and the period is no longer than that. */
function nothingLeft({ backtest, yaml }: BacktestDeployment, { fromMs, toMs }: Period): AppError {
  const place = yaml.locate(['backtest', 'warmUpHours']);
  const what = `Cannot check a warm-up of ${counted(backtest.warmUpHours, 'hour')}`;
  const has = `no data lie ahead of it, and the period has ${((toMs - fromMs) / HOUR_MS).toFixed(1)}`;
  const wanted = 'a shorter warm-up or a longer period is wanted';
  return new AppError('configuration', `${place}: ${what}: ${has}, ${wanted}`);
}

/**
 * The part of the period in which wishes count: all of it where more data precede it than the
 * configured warm-up takes; else what follows its first quarter, or the warm-up if that is longer.
 */
function tradedPeriod(
  { fromMs, toMs }: Period,
  { firstMs, configuredMs }: { readonly firstMs: number; readonly configuredMs: number },
): Pick<Period, 'fromMs' | 'toMs'> {
  if (fromMs - firstMs > configuredMs) return { fromMs, toMs };
  const part = Math.max(configuredMs, WARM_PART * (toMs - fromMs));
  return { fromMs: Math.min(toMs, Math.ceil((fromMs + part) / HOUR_MS) * HOUR_MS), toMs };
}

/** The lengths to try: 0, the configured one, the longest, and that halved again and again. */
export function lengthsOf(options: {
  readonly longestMs: number;
  readonly configuredMs: number;
  readonly starts: number;
}): number[] {
  const { longestMs, configuredMs, starts } = options;
  const halves = Array.from({ length: starts }, (_, at) => longestMs / 2 ** (at + 1));
  const whole = halves.map((ms) => Math.floor(ms / HOUR_MS) * HOUR_MS);
  const lengths = [0, configuredMs, ...whole, longestMs];
  return [...new Set(lengths)].sort((a, b) => a - b);
}

/** The lengths that only reach further into a hole of the data. `lengths`: the shortest first. */
async function repeatedOf(
  lengths: readonly number[],
  { sources, fromMs }: { readonly sources: readonly Source[]; readonly fromMs: number },
): Promise<RepeatedWarmUp[]> {
  const repeated: RepeatedWarmUp[] = [];
  let [asMs = 0] = lengths;
  for (const [at, warmUpMs] of lengths.slice(1).entries()) {
    const [from, to] = [warmUpMs, lengths[at]!].map((ms) => fromMs - ms);
    if (await areHeard(sources, from!, to!)) asMs = warmUpMs;
    else repeated.push({ warmUpMs, asMs });
  }
  return repeated;
}

/** Whether a run that begins at `from` hears more data than one that begins at `to`. */
async function areHeard(sources: readonly Source[], from: number, to: number): Promise<boolean> {
  for (const source of sources) {
    const [first, end] = [from, to].map((warmFromMs) => playedFromMs(source, { warmFromMs }));
    if (await hasRows(source, first!, end!)) return true;
  }
  return false;
}

/**
 * Where the wishes of two runs first differ; undefined where they never do. The first wish of a
 * strategy in a market does not count as different if the longest warm-up made it earlier and it
 * still stands: a strategy that wishes only at changes does not repeat it.
 */
export function warmUpPartingOf(
  own: readonly IntentEvent[],
  longest: readonly IntentEvent[],
  { dropped, untilMs }: Standing = { dropped: new Map(), untilMs: 0 },
): WarmUpParting | undefined {
  const known = new Set<string>();
  const isKnown = (event: IntentEvent): boolean => {
    const desk = deskOf(event);
    const isFirst = !known.has(desk);
    known.add(desk);
    return isFirst && event.time <= untilMs && isSame(dropped.get(desk), event.intent);
  };
  let at = 0;
  for (const a of own) {
    const b = longest[at];
    if (b !== undefined && journalLine(a) === journalLine(b)) {
      known.add(deskOf(a));
      at++;
    } else if ((b !== undefined && b.time < a.time) || !isKnown(a)) {
      return { time: Math.min(a.time, b?.time ?? a.time), own: a, longest: b };
    }
  }
  const b = longest[at];
  return b && { time: b.time, own: undefined, longest: b };
}

function isSame(one: Intent | undefined, other: Intent): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The shortest warm-up from which on all runs agree; undefined where only the longest does. */
function settledOf(runs: readonly WarmedRun[]): number | undefined {
  const parted = runs.findLastIndex(({ parting }) => parting !== undefined);
  return parted + 1 < runs.length - 1 ? runs[parted + 1]!.warmUpMs : undefined;
}
