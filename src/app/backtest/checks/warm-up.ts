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

/** As those of a run. */
export interface WarmUpOptions extends Pick<BacktestOptions, 'deployment' | 'stop' | 'onProgress'> {
  /** How many lengths of warm-up to try beside none and the longest. Default: 8. */
  readonly starts?: number;
}

/** A run that heard the data for some time before its wishes counted. */
export interface WarmedRun {
  /** How long it heard them, milliseconds. */
  readonly warmUpMs: number;
  /** Whether that is what the deployment asks for. */
  readonly isConfigured: boolean;
  readonly intents: number;
  /** The first wish that is not that of the longest warm-up; undefined where all are. */
  readonly parting: WarmUpParting | undefined;
  /** What it came to: every metric of the report. */
  readonly figures: readonly Figure[];
}

/** Where a run first wished otherwise than the one with the longest warm-up. */
export interface WarmUpParting {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The wish; undefined where it made none more. */
  readonly own: IntentEvent | undefined;
  readonly longest: IntentEvent | undefined;
}

/** A length of warm-up that begins on the same data as a shorter one: none lie between. */
export interface RepeatedWarmUp {
  /** Milliseconds, both. */
  readonly warmUpMs: number;
  readonly asMs: number;
}

/** How what is decided moves with the start. */
export interface WarmUpReport extends CheckEndings {
  /** When wishes began to count, in every run, and the end: milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Where the deployment's own period begins: from here to `fromMs` of it became warm-up. */
  readonly periodFromMs: number;
  /** The shortest warm-up first. */
  readonly runs: readonly WarmedRun[];
  /** Lengths that would only repeat a shorter one; they are not run, but for the configured one. */
  readonly repeated: readonly RepeatedWarmUp[];
  /** From this length on every run wishes what the longest does; undefined where none does. */
  readonly settledMs: number | undefined;
  /** Whether the longest warm-up dropped all wishes there were: nothing can be said then. */
  readonly isLost: boolean;
  readonly interrupted: boolean;
}

type IntentEvent = EventOf<'intent'>;

interface HeardRun extends Pick<WarmedRun, 'warmUpMs' | 'figures'>, Pick<Standing, 'dropped'> {
  readonly intents: readonly IntentEvent[];
}

interface Standing {
  /** What stood when the longest warm-up was over. */
  readonly dropped: ReadonlyMap<string, Intent>;
  /** Until when a first wish may be the one that stands, milliseconds since the epoch. */
  readonly untilMs: number;
}

const STARTS = 8;
/** The part of the period that is given to warm up where there are no data ahead of it. */
const WARM_PART = 0.25;

/**
 * Trades one period after warm-ups of different lengths: what a strategy wishes should not hang on
 * when it began to listen.
 *
 * @throws {AppError} as `runBacktest` does; `configuration` where nothing of the period is left
 * behind the configured warm-up.
 */
export async function checkWarmUp(options: WarmUpOptions): Promise<WarmUpReport> {
  const { deployment, starts = STARTS, onProgress, stop } = options;
  const sources = await openSources(deployment);
  const firstMs = Math.max(...sources.map((source) => source.firstMs));
  const configuredMs = deployment.backtest.warmUpHours * HOUR_MS;
  const own = periodOf(deployment, sources);
  // As much history is known at every start as the deployment's own run has.
  const knownMs = Math.max(0, own.warmFromMs - firstMs);
  // Ahead of the data of some market its strategies can't warm up.
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
        // Who warms up and wishes for the first time behind that had not heard enough to wish.
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
 * The runs with the configured warm-up or a longer one that wish otherwise than the longest. As
 * long as there is one, that the configured warm-up itself agrees proves nothing.
 */
export function partingRuns(runs: readonly WarmedRun[]): WarmedRun[] {
  const configured = runs.findIndex(({ isConfigured }) => isConfigured);
  return configured < 0
    ? []
    : runs.slice(configured).filter(({ parting }) => parting !== undefined);
}

/** No data lie ahead of the configured warm-up, and the period is no longer than that. */
function nothingLeft({ backtest, yaml }: BacktestDeployment, { fromMs, toMs }: Period): AppError {
  const place = yaml.locate(['backtest', 'warmUpHours']);
  const what = `Cannot check a warm-up of ${counted(backtest.warmUpHours, 'hour')}`;
  const has = `no data lie ahead of it, and the period has ${((toMs - fromMs) / HOUR_MS).toFixed(1)}`;
  const wanted = 'a shorter warm-up or a longer period is wanted';
  return new AppError('configuration', `${place}: ${what}: ${has}, ${wanted}`);
}

/**
 * The part of the period in which wishes count: all of it where there are data ahead of it, else
 * what lies behind its first quarter.
 */
function tradedPeriod(
  { fromMs, toMs }: Period,
  { firstMs, configuredMs }: { readonly firstMs: number; readonly configuredMs: number },
): Pick<Period, 'fromMs' | 'toMs'> {
  if (fromMs - firstMs > configuredMs) return { fromMs, toMs };
  const part = Math.max(configuredMs, WARM_PART * (toMs - fromMs));
  return { fromMs: Math.min(toMs, Math.ceil((fromMs + part) / HOUR_MS) * HOUR_MS), toMs };
}

/** None, the configured one, the longest there is, and halves of that in between. */
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

/** Those of the lengths, the shortest first, that reach into a hole and no further. */
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
 * Where two runs first wish differently; undefined where they never do. The first wish of a strategy
 * in a market is no other where the longest warm-up has made it before and it still stands: who
 * wishes at changes alone repeats none.
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

/** The shortest warm-up from which on every run agrees; undefined where only the longest does. */
function settledOf(runs: readonly WarmedRun[]): number | undefined {
  const parted = runs.findLastIndex(({ parting }) => parting !== undefined);
  return parted + 1 < runs.length - 1 ? runs[parted + 1]!.warmUpMs : undefined;
}
