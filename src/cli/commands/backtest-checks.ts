import {
  type BacktestDeployment,
  EXIT_CODES,
  type LookaheadReport,
  type PrefixRun,
  type Progress,
  printable,
  rooms,
  type WarmedRun,
  type WarmUpReport,
} from '../../app/index.ts';
import { BacktestDisplay } from '../backtest-display.ts';
import { writeFindings } from '../findings-output.ts';
import { formatNumber } from '../format.ts';
import { stopWishes } from '../stop-requests.ts';
import { type Paint, paintFor } from '../style.ts';
import { numbers, table, words } from '../table.ts';
import { printed } from '../wrap.ts';
import { eventText } from './event-text.ts';
import { percent, utc } from './values.ts';

const { checkLookahead, checkWarmUp, formatDuration, partingRuns } = await rooms.backtest();

/** Flags of `tradewind backtest` that ask for a check in place of a run. */
export interface CheckFlags {
  /** Number of cuts; true: the default. */
  readonly checkLookahead?: number | true;
  readonly checkWarmup?: number | true;
}

const HOUR_MS = 3_600_000;
/** Marks the length that the deployment configures. */
const CONFIGURED = ' (configured)';
const LISTS = new Intl.ListFormat('en-GB');
/** How many partings (first differing events) are shown event by event. */
const DETAILS = 3;
/** Metrics whose spread over the starts is shown. */
const SPREAD_IDS = ['totalReturn', 'maxDrawdown', 'trades'];

type Going = (progress: Progress) => boolean;

/** Whether the flags ask for checks. */
export function isCheck({ checkLookahead, checkWarmup }: CheckFlags): boolean {
  return checkLookahead !== undefined || checkWarmup !== undefined;
}

/** Runs the checks that are asked for and prints what they found. `isGoing`: false ends them. */
export async function runChecks(
  deployment: BacktestDeployment,
  flags: CheckFlags & { readonly isGoing: () => boolean },
): Promise<void> {
  const { checkLookahead: cuts, checkWarmup: starts } = flags;
  const paint = paintFor(process.stdout);
  if (cuts !== undefined) {
    const chosen = cuts === true ? {} : { cuts };
    const report = await displayed(flags, (onProgress) =>
      checkLookahead({ deployment, onProgress, stop: stopWishes, ...chosen }),
    );
    const isFaulty = report.prefixes.some(({ parting }) => parting);
    tell(lookaheadLines(report, paint), { isFaulty, ...report });
  }
  if (starts !== undefined) {
    const chosen = starts === true ? {} : { starts };
    const report = await displayed(flags, (onProgress) =>
      checkWarmUp({ deployment, onProgress, stop: stopWishes, ...chosen }),
    );
    tell(warmUpLines(report, paint), { isFaulty: isTooShort(report), ...report });
  }
}

function tell(
  lines: readonly string[],
  { isFaulty, isOver }: { readonly isFaulty: boolean; readonly isOver: boolean },
): void {
  writeFindings(printed(lines));
  if (isFaulty) process.exitCode = EXIT_CODES.different;
  else if (isOver) process.exitCode = EXIT_CODES.strategy;
}

/** Lines on strategies that ended early: a check finds nothing after the end of one. */
function endingLines(endings: readonly string[]): string[] {
  return endings.map((ending) => printable(`${ending} Nothing after that is checked.`));
}

/** Runs a check and shows how far each of its runs is. */
async function displayed<T>(
  { isGoing }: { readonly isGoing: () => boolean },
  check: (onProgress: Going) => Promise<T>,
): Promise<T> {
  let display: BacktestDisplay | undefined;
  let period: Progress['period'] | undefined;
  const onProgress = (progress: Progress): boolean => {
    if (progress.period !== period) {
      display?.end();
      display = new BacktestDisplay();
      period = progress.period;
    }
    display?.show(progress);
    return isGoing();
  };
  try {
    return await check(onProgress);
  } finally {
    (display as BacktestDisplay | undefined)?.end();
  }
}

/** The verdict if no run made a wish: that the runs are alike then proves nothing. */
const NO_WISHES = 'no wish was made: nothing can be said';
const LOST_WISHES =
  'the longest warm-up dropped every wish, and none was made after it: nothing can be said (only ' +
  'wishes made after the warm-up count)';

/** What a look-ahead check came to. */
export function lookaheadLines(report: LookaheadReport, paint: Paint): string[] {
  const { intents, period, prefixes, endings, interrupted } = report;
  const found = prefixes.filter(({ parting }) => parting !== undefined);
  const rows = prefixes.map(({ cutMs, agreed, parting }) => [
    ...[utc(cutMs), String(agreed), parting === undefined ? 'the same' : 'DIFFERENT after them'],
  ]);
  const columns = [words('data until'), numbers('wishes alike'), words('decisions and orders')];
  const span = `${utc(period.fromMs)} to ${utc(period.toMs)}`;
  return [
    paint('strong', `Look-ahead: ${span}, ${formatNumber(intents, 0)} wishes on all data`),
    ...table(columns, { rows, paint }),
    ...found.slice(0, DETAILS).flatMap((one) => partingLines(one)),
    ...endingLines(endings),
    lookaheadVerdict({ isFound: found.length > 0, hasWishes: intents > 0, interrupted }, paint),
  ];
}

interface Verdict {
  readonly isFound: boolean;
  readonly hasWishes: boolean;
  readonly interrupted: boolean;
}

function lookaheadVerdict({ isFound, hasWishes, interrupted }: Verdict, paint: Paint): string {
  if (isFound) {
    return paint(
      'bad',
      'decisions depend on data that were still to come, on earlier runs, on chance or on the ' +
        "machine's clock",
    );
  }
  if (interrupted) return 'interrupted: later cuts were not checked';
  if (!hasWishes) return NO_WISHES;
  return `${paint('good', 'no decision depends on data that were still to come')} (what a strategy reads elsewhere is not checked)`;
}

function partingLines({ cutMs, parting }: PrefixRun): string[] {
  const { whole, prefix } = parting!;
  const text = (event: typeof whole): string =>
    event === undefined || !('time' in event) ? '-' : `${utc(event.time)} ${eventText(event)}`;
  return [
    `data until ${utc(cutMs)}, first difference:`,
    `  all data  ${text(whole)}`,
    `  cut data  ${text(prefix)}`,
  ];
}

/** Whether the configured warm-up is not known to be long enough: a fault, told by the exit code. */
export function isTooShort({ isLost, runs }: WarmUpReport): boolean {
  return !isLost && partingRuns(runs).length > 0;
}

/** What a warm-up check came to. */
export function warmUpLines(report: WarmUpReport, paint: Paint): string[] {
  const { fromMs, toMs, runs, interrupted } = report;
  const title = `Warm-up: wishes from ${utc(fromMs)} to ${utc(toMs)}`;
  if (interrupted) return [paint('strong', title), 'interrupted: nothing can be said'];
  const rows = runs.map((run) => [
    `${lengthText(run.warmUpMs)}${run.isConfigured ? CONFIGURED : ''}`,
    String(run.intents),
    run.parting === undefined ? 'none' : utc(run.parting.time),
    ...SPREAD_IDS.map((id) => figureText(run, id)),
  ]);
  const heads = SPREAD_IDS.map((id) => numbers(labelOf(runs, id)));
  const columns = [words('warm-up'), numbers('wishes'), words('first difference'), ...heads];
  return [
    paint('strong', title),
    ...givenLines(report),
    ...table(columns, { rows, paint }),
    ...repeatedLines(report),
    ...endingLines(report.endings),
    ...warmUpVerdict(report, paint),
  ];
}

function warmUpVerdict(report: WarmUpReport, paint: Paint): string[] {
  if (report.isLost) return [paint('bad', LOST_WISHES)];
  if (report.runs.every(({ intents }) => intents === 0)) return [NO_WISHES];
  return [settledText(report.settledMs, paint), ...configuredLines(report, paint)];
}

/** Says which part of the period is not traded but used as warm-up. */
function givenLines({ periodFromMs, fromMs }: WarmUpReport): string[] {
  if (fromMs <= periodFromMs) return [];
  const part = `its first ${lengthText(fromMs - periodFromMs)}, from ${utc(periodFromMs)} on,`;
  const why = 'the data ahead of the period are no longer than the configured warm-up';
  return [`${why}: ${part} serve as warm-up here`];
}

function settledText(settledMs: number | undefined, paint: Paint): string {
  return settledMs === undefined
    ? paint(
        'bad',
        'there is no shorter warm-up from which on every wish is the same as with the longest',
      )
    : `from ${settingText(settledMs)} of warm-up on, every wish is the same as with the longest`;
}

/** Lengths that begin on the same data as another: they were not run, as they would repeat it. */
function repeatedLines({ runs, repeated }: WarmUpReport): string[] {
  const kept = [...new Set(repeated.map(({ asMs }) => asMs))];
  return kept.flatMap((asMs) => {
    const same = repeated.filter((one) => one.asMs === asMs).map(({ warmUpMs }) => warmUpMs);
    const isRun = (ms: number): boolean => runs.some(({ warmUpMs }) => warmUpMs === ms);
    const left = same.filter((ms) => !isRun(ms)).map(lengthText);
    const as = `on the same data as ${lengthText(asMs)} (there are no data in between)`;
    const which = `which begin${left.length === 1 ? 's' : ''}`;
    return [
      ...same.filter(isRun).map((ms) => `${lengthText(ms)}${CONFIGURED} begins ${as}`),
      ...(left.length === 0 ? [] : [`left out: ${LISTS.format(left)}, ${which} ${as}`]),
    ];
  });
}

function configuredLines({ runs }: WarmUpReport, paint: Paint): string[] {
  const configured = runs.find(({ isConfigured }) => isConfigured);
  if (configured === undefined) return [];
  const verdict = (is: string): string => `the configured warm-up is ${is} (backtest.warmUpHours)`;
  if (configured.parting !== undefined) return [paint('bad', verdict('too short'))];
  const longer = partingRuns(runs).map(({ warmUpMs }) => lengthText(warmUpMs));
  if (longer.length === 0) return [paint('good', verdict('long enough'))];
  const [are, have] = longer.length === 1 ? ['is', 'has'] : ['are', 'have'];
  const why = `but ${LISTS.format(longer)}, which ${are} longer, ${have} not`;
  const is = verdict('not known to be long enough');
  return [`${paint('bad', is)}: it has the same wishes as the longest, ${why}`];
}

function lengthText(lengthMs: number): string {
  return lengthMs === 0 ? '0 h' : formatDuration(lengthMs);
}

/** A length, and in hours as `backtest.warmUpHours` takes it: `1 d 12 h (36 hours)`. */
function settingText(lengthMs: number): string {
  const [text, hours] = [lengthText(lengthMs), Number((lengthMs / HOUR_MS).toFixed(2))];
  return text === `${hours} h` ? text : `${text} (${hours} hours)`;
}

function labelOf(runs: readonly WarmedRun[], id: string): string {
  return runs[0]?.figures.find(({ metric }) => metric.id === id)?.metric.label ?? id;
}

function figureText({ figures }: WarmedRun, id: string): string {
  const figure = figures.find(({ metric }) => metric.id === id);
  const value = figure?.measured.value;
  if (value === undefined) return '-';
  return figure?.metric.unit === 'fraction' ? percent(value) : String(value);
}
