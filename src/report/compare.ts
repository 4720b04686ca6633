import { withoutNoise } from './doubles.ts';
import { formatMeasured, formatValue, type MoneyFormat, moneyFormatOf } from './format.ts';
import type { Measured, Metric } from './metrics/metric.ts';
import { METRICS } from './metrics/metrics.ts';
import type { MetricsFile } from './tables/metrics-file.ts';

/** One metric of two runs. */
export interface ComparedMetric {
  readonly metric: Metric;
  readonly a: Measured;
  readonly b: Measured;
  /** `b - a`; undefined where one of them is missing or their currencies differ. */
  readonly difference: number | undefined;
  /** Which run is better by this metric; undefined if neither is, or no direction is better. */
  readonly better: 'a' | 'b' | undefined;
}

/** A count of two runs, such as orders, or refusals by a code. */
export interface ComparedCount {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
}

/** Two runs side by side. */
export interface Comparison {
  readonly names: { readonly a: string; readonly b: string };
  /** How each run's money is written. */
  readonly money: { readonly a: MoneyFormat; readonly b: MoneyFormat };
  readonly metrics: readonly ComparedMetric[];
  readonly counts: readonly ComparedCount[];
  readonly refusals: readonly ComparedCount[];
  /** Share of the period with data, by dataset. */
  readonly coverage: readonly ComparedCount[];
  /** How the premises of the runs differ, such as period, markets or seed: whole sentences. */
  readonly differences: readonly string[];
  /** Whether both runs decided and did the same, by the hashes of their journals. */
  readonly isSame: boolean;
}

/** Relative differences up to this come from the order of sums, not from the runs. */
const NOISE = 1e-9;

/** Compares the figures of two runs, as `metrics.json` holds them. */
export function compareMetrics(a: MetricsFile, b: MetricsFile): Comparison {
  return {
    names: { a: a.name, b: b.name },
    money: { a: moneyOf(a), b: moneyOf(b) },
    metrics: METRICS.map((metric) => comparedMetric(metric, a, b)),
    counts: comparedCounts(a.counts, b.counts),
    refusals: comparedCounts(refusedWishes(a), refusedWishes(b)),
    coverage: comparedCounts(a.coverage, b.coverage),
    differences: differencesOf(a, b),
    isSame: a.journalHash === b.journalHash,
  };
}

/** The number of refused wishes by code; of tries where a file does not count wishes. */
export function refusedWishes(file: MetricsFile): Readonly<Record<string, number>> {
  return { ...file.refusals, ...file.refusedWishes };
}

function comparedMetric(metric: Metric, fileA: MetricsFile, fileB: MetricsFile): ComparedMetric {
  const a = measuredIn(fileA, metric.id);
  const b = measuredIn(fileB, metric.id);
  const isOneUnit = metric.unit !== 'quote' || fileA.quote === fileB.quote;
  if (a.value === undefined || b.value === undefined || !isOneUnit) {
    return { metric, a, b, difference: undefined, better: undefined };
  }
  const difference = differenceOf(a.value, b.value);
  const isNoise = Math.abs(difference) <= NOISE * Math.max(Math.abs(a.value), Math.abs(b.value));
  const better = isNoise ? undefined : betterOf(difference, metric.better);
  return { metric, a, b, difference, better };
}

function betterOf(difference: number, better: Metric['better']): 'a' | 'b' | undefined {
  if (better === 'neither') return undefined;
  return difference > 0 === (better === 'more') ? 'b' : 'a';
}

function measuredIn({ metrics, reasons }: MetricsFile, id: string): Measured {
  const value = metrics[id];
  return value === undefined || value === null
    ? { reason: reasons[id] ?? 'not measured' }
    : { value };
}

type Counts = Readonly<Record<string, number>>;

function comparedCounts(inA: Counts, inB: Counts): ComparedCount[] {
  return [...new Set([...Object.keys(inA), ...Object.keys(inB)])].map((name) => {
    const a = inA[name] ?? 0;
    const b = inB[name] ?? 0;
    return { name, a, b, difference: differenceOf(a, b) };
  });
}

function differenceOf(a: number, b: number): number {
  return withoutNoise(b - a, Math.max(Math.abs(a), Math.abs(b)));
}

/** The premises compared: each as the subject and verb of its sentence, and as text. */
const PREMISES: readonly { what: string; of(file: MetricsFile): string }[] = [
  { what: 'period differs', of: ({ period }) => `${iso(period.from)} to ${iso(period.to)}` },
  { what: 'currency of the account differs', of: ({ quote }) => quote },
  { what: 'markets differ', of: ({ markets }) => markets.join(', ') },
  { what: 'strategies differ', of: ({ strategies }) => strategies.join(', ') },
  { what: 'fill model differs', of: ({ fillModel }) => fillModel },
  { what: 'seed differs', of: ({ seed }) => seed },
  { what: 'version differs', of: ({ version }) => version },
];

function differencesOf(a: MetricsFile, b: MetricsFile): string[] {
  const premises = PREMISES.flatMap(({ what, of }) =>
    of(a) === of(b) ? [] : [`The ${what}: ${of(a)} against ${of(b)}.`],
  );
  return [...premises, ...conventionsText(a.conventions, b.conventions)];
}

/** Conventions derived from others, which differ wherever those do. */
const DERIVED: ReadonlySet<string> = new Set(['periodMs', 'offsetMs', 'periodsPerYear']);

/** One sentence that names the conventions that differ; none if all are the same. */
function conventionsText(a: object, b: object): string[] {
  const inA: ReadonlyMap<string, unknown> = new Map(Object.entries(a));
  const inB: ReadonlyMap<string, unknown> = new Map(Object.entries(b));
  const names = [...new Set([...inA.keys(), ...inB.keys()])];
  const others = names
    .filter((name) => !DERIVED.has(name) && inA.get(name) !== inB.get(name))
    .map((name) => `${name} ${inA.get(name)} against ${inB.get(name)}`);
  return others.length === 0 ? [] : [`The conventions differ: ${others.join(', ')}.`];
}

const moneyOf = ({ quote, startingEquity }: MetricsFile): MoneyFormat =>
  moneyFormatOf(quote, Math.abs(startingEquity ?? 0));

const iso = (time: number): string => new Date(time).toISOString();

/** The figures that tell two runs apart at a glance, in the order in which they are shown. */
const SHOWN: readonly string[] = [
  ...['totalReturn', 'netProfit', 'sharpe', 'maxDrawdown', 'exposureTime', 'turnover'],
  ...['trades', 'winRate', 'profitFactor', 'averageTrade', 'fees', 'slippage', 'makerShare'],
];

/** A figure of two runs as people read it. */
export interface ComparedFigure {
  readonly label: string;
  readonly a: string;
  readonly b: string;
  /** B less A, with its sign; empty where one of them is missing. */
  readonly difference: string;
}

/** The figures of a comparison that are shown to people, a part of all that it holds. */
export function comparedFigures({ metrics, money }: Comparison): ComparedFigure[] {
  return SHOWN.flatMap((id) => {
    const found = metrics.find(({ metric }) => metric.id === id);
    if (found === undefined) return [];
    const { metric, a, b, difference } = found;
    return {
      label: metric.label,
      a: formatMeasured(a, metric.unit, money.a),
      b: formatMeasured(b, metric.unit, money.b),
      difference:
        difference === undefined ? '' : signed(formatValue(difference, metric.unit, money.a)),
    };
  });
}

function signed(text: string): string {
  return text.startsWith('-') || !/[1-9]/.test(text) ? text : `+${text}`;
}
