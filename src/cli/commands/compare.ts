import type { Command } from 'commander';
import {
  type Attribution,
  type Cause,
  type Decimal,
  printable,
  type RunComparison,
  type RunSide,
  rooms,
} from '../../app/index.ts';
import { wholeNumber } from '../arguments.ts';
import { counted, formatNumber } from '../format.ts';
import type { Paint } from '../style.ts';
import { figures, numbers, table, words } from '../table.ts';
import { type CommandContext, type CommonFlags, examplesText, print } from './context.ts';
import { decisionText } from './intent-text.ts';
import { utc } from './values.ts';

const { comparedFigures, compareRuns } = await rooms.compare();

/** What each line of an attribution is, for people. */
const CAUSE_TEXTS: Readonly<Record<Cause, string>> = {
  price: 'other prices of what both filled',
  amount: 'other amounts of orders that both filled whole',
  unfilledInA: 'placed in both, filled only or more in B',
  unfilledInB: 'placed in both, filled only or more in A',
  onlyA: 'orders that only A placed',
  onlyB: 'orders that only B placed',
  fees: 'fees',
  endPrice: 'other last prices of what B holds',
  rest: 'rest: what was held before the first fill, and what no fill explains',
};

/** Differing settings that are shown; with --json all. */
const SETTINGS_SHOWN = 20;
/** The path of a strategy's parameter. */
const PARAMETER = /^strategies\b.*\.params\./;
/** Longest text of a setting that is shown. */
const VALUE_MAX = 40;

interface CompareFlags extends CommonFlags {
  readonly runA?: number;
  readonly runB?: number;
}

/** `tradewind compare`: two runs side by side. */
export function defineCompare(command: Command, context: CommandContext): void {
  const count = wholeNumber(1, Number.MAX_SAFE_INTEGER);
  command
    .argument('<a>', 'the folder of a backtest, such as runs/one, or a journal')
    .argument('<b>', 'another')
    .option('--run-a <number>', 'which run of journal A (default: the newest)', count)
    .option('--run-b <number>', 'which run of journal B (default: the newest)', count)
    .option('--json', 'one JSON document, for programs')
    .addHelpText(
      'after',
      examplesText([
        'compare runs/one runs/two',
        'compare runs/may var/live.journal',
        'compare var/demo.journal var/demo.journal --run-a 1 --run-b 2',
      ]),
    )
    .action((a: string, b: string, flags: CompareFlags) => {
      const { runA, runB } = flags;
      const comparison = compareRuns({ a, b, runA, runB });
      const lines = comparisonLines(comparison, context.paint);
      print(context, flags, { json: comparisonJson(comparison), lines });
    });
}

/** A comparison for people, line by line. */
export function comparisonLines(comparison: RunComparison, paint: Paint): string[] {
  const { a, b, attribution } = comparison;
  return [
    `A  ${paint('strong', printable(a.title))}${seedText(a)}`,
    `B  ${paint('strong', printable(b.title))}${seedText(b)}`,
    ...settingLines(comparison, paint),
    ...[...dataLines(comparison), ...reportNotes(comparison)].map(printable),
    ...[...endLines('A', a), ...endLines('B', b)].map(printable),
    '',
    ...decisionLines(comparison),
    ...figureLines(comparison, paint),
    '',
    ...countLines(comparison, paint),
    ...attribution.flatMap((one) => ['', ...attributionLines(one, paint)]),
    ...(attribution.length === 0 ? ['', 'neither run traded'] : []),
  ];
}

function seedText({ seed }: RunSide): string {
  return seed === undefined ? '' : printable(`, seed ${seed}`);
}

function settingLines({ settings }: RunComparison, paint: Paint): string[] {
  if (settings === undefined) return ['', 'settings: not recorded in both runs'];
  if (settings.length === 0) return ['', 'settings: the same'];
  const rows = settings
    .slice(0, SETTINGS_SHOWN)
    .map(({ path, a, b }) => [path, settingText(path, a), settingText(path, b)]);
  const more = settings.length - rows.length;
  return [
    '',
    ...table([words('setting'), words('A'), words('B')], { rows, paint }),
    ...(more > 0 ? [`and ${more} more (--json)`] : []),
  ];
}

/** A parameter that is not on record has its strategy's default. */
function settingText(path: string, value: unknown): string {
  if (value === undefined) return PARAMETER.test(path) ? 'its default' : '-';
  const text = JSON.stringify(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX - 1)}…` : text;
}

function dataLines({ data }: RunComparison): string[] {
  if (data.length === 0) return [];
  const state = (hash: string | undefined): string =>
    hash === undefined ? 'does not have it' : `has ${hash.slice(0, 12)}`;
  return data.map(({ name, a, b }) => `data ${name}: A ${state(a)}, B ${state(b)}`);
}

/** Why the reports of both runs can be compared only in part, or not at all. */
function reportNotes({ metrics }: RunComparison): readonly string[] {
  if (metrics !== undefined) return metrics.differences;
  return ['not both runs have a report: figures such as return and drawdown are not compared'];
}

/** The reasons why a side did not trade to its end, which change how the rest is to be read. */
function endLines(name: string, { ended, trading }: RunSide): string[] {
  return [
    ...ended.map(
      ({ strategy, status, at, reason }) =>
        `${name}: strategy ${strategy} ${status} at ${utc(at)}: ${reason}`,
    ),
    ...(trading === undefined
      ? []
      : [
          `${name}: trading was ${trading.state} from ${utc(trading.at)} to the end: ${trading.reason}`,
        ]),
  ];
}

function decisionLines({ decisions: { same, different, first } }: RunComparison): string[] {
  const counts = `decisions: ${formatNumber(same, 0)} the same, ${formatNumber(different, 0)} different`;
  if (first === undefined) return [counts];
  const { strategy, recorded, replayed } = first;
  const side = (made: typeof recorded): string =>
    made === undefined ? '-' : `${utc(made.time)} ${decisionText(made.decision)}`;
  return [
    `${counts}; the first different one, of ${printable(strategy)}:`,
    `  A  ${side(recorded)}`,
    `  B  ${side(replayed)}`,
  ];
}

function figureLines({ metrics }: RunComparison, paint: Paint): string[] {
  if (metrics === undefined) return [];
  const rows = comparedFigures(metrics).map(({ label, a, b, difference }) => [
    ...[label, a, b, difference],
  ]);
  const columns = [words('figure'), figures('A'), figures('B'), figures('B - A')];
  return ['', ...table(columns, { rows, paint })];
}

function countLines(comparison: RunComparison, paint: Paint): string[] {
  const { a, b, orders, refusals, metrics } = comparison;
  // A journal also holds refusals of orders, and only the first of a wish's equal refusals.
  const refused = metrics === undefined ? 'refusals recorded' : 'wishes refused';
  const row = (name: string, of: (side: RunSide) => number | undefined): string[] => {
    return [name, wholeText(of(a)), wholeText(of(b))];
  };
  const rows = [
    row('decisions', ({ decisions }) => decisions),
    row('orders', (side) => side.orders),
    row('fills', ({ fills }) => fills),
    row('answer to an order, median ms', ({ answeredMs }) => answeredMs),
    row('fill of an order, median ms', ({ filledMs }) => filledMs),
    row('wait for the rate budget, mean ms', ({ waitedMs }) => waitedMs),
    ...refusals.map(({ code, ...both }) => [`${refused}: ${code}`, String(both.a), String(both.b)]),
  ];
  return [...table([words(''), numbers('A'), numbers('B')], { rows, paint }), pairsText(orders)];
}

function pairsText({ both, onlyA, onlyB, moreA, moreB }: RunComparison['orders']): string {
  const more = [
    ...(moreA > 0 ? [`A placed ${formatNumber(moreA, 0)} more`] : []),
    ...(moreB > 0 ? [`B placed ${formatNumber(moreB, 0)} more`] : []),
  ];
  const again = more.length === 0 ? '' : ` (${more.join(', ')} for the same wishes)`;
  const [ofA, ofB] = [formatNumber(onlyA, 0), formatNumber(onlyB, 0)];
  return `${counted(both, 'order')} in both runs${again}, ${ofA} only in A, ${ofB} only in B`;
}

function wholeText(value: number | undefined): string {
  return value === undefined ? '-' : String(Math.round(value));
}

function attributionLines(
  { quote, profit, isOfReports, difference, lines }: Attribution,
  paint: Paint,
): string[] {
  const rows = [
    ['profit of A', '', profit.a.toString()],
    ...lines.map(({ cause, orders, amount }) => [
      ...[`  ${CAUSE_TEXTS[cause]}`, orders === 0 ? '' : String(orders), signed(amount)],
    ]),
    ['profit of B', '', profit.b.toString()],
    ['B - A', '', signed(difference)],
  ];
  const title = `profit in ${quote}${isOfReports ? '' : ', from fills only'}`;
  const columns = [words(title), numbers('orders'), numbers('amount')];
  return table(columns, { rows, paint });
}

function signed(amount: Decimal): string {
  return `${amount.sign > 0 ? '+' : ''}${amount}`;
}

function comparisonJson(comparison: RunComparison) {
  const { a, b, settings, attribution, decisions, ...others } = comparison;
  const { first } = decisions;
  return {
    ...{ a, b, settings: settings ?? null, ...others },
    decisions: {
      ...decisions,
      first: first && {
        strategy: first.strategy,
        a: first.recorded && { time: utc(first.recorded.time), decision: first.recorded.decision },
        b: first.replayed && { time: utc(first.replayed.time), decision: first.replayed.decision },
      },
    },
    attribution,
  };
}
