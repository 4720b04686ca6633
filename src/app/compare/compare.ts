import { currenciesOf, type TradingEvent, timeOf } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import {
  type Comparison,
  compareMetrics,
  type EndedStrategy,
  type MetricsFile,
  refusedWishes,
  type StoppedTrading,
} from '../../report/index.ts';
import { asAppError } from '../errors.ts';
import { Alignments, type Difference, decisionOf, type MadeDecision } from '../replay/index.ts';
import { type Attribution, attribute } from './attribution.ts';
import { deskOf, medianOf, RunDigest } from './digest.ts';
import { matchOrders, type OrderPair } from './match-orders.ts';
import { openRunSource, type RunSource } from './run-source.ts';
import { type SettingDifference, settingDifferences } from './settings-difference.ts';
import { renamed, shownNames, withShownNames } from './shown-names.ts';

export interface CompareOptions {
  /** Folders of backtests, or journals. */
  readonly a: string;
  readonly b: string;
  /** Numbers of the runs in journals. Default: the newest of each. */
  readonly runA?: number | undefined;
  readonly runB?: number | undefined;
}

/** One of two runs that are compared. */
export interface RunSide {
  readonly title: string;
  readonly seed: string | undefined;
  readonly decisions: number;
  readonly orders: number;
  readonly fills: number;
  /** Medians, milliseconds; undefined without any order to take them of. */
  readonly answeredMs: number | undefined;
  readonly filledMs: number | undefined;
  /** Mean wait of a request for the rate budget, milliseconds. */
  readonly waitedMs: number | undefined;
  /** Strategies that ended before the run did. */
  readonly ended: readonly EndedStrategy[];
  /** What kept new orders from leaving at the end; undefined if nothing did. */
  readonly trading: StoppedTrading | undefined;
}

/** A value of each run. */
interface Both<T> {
  readonly a: T;
  readonly b: T;
}

/** Two runs side by side: where the profit differs, and why. */
export interface RunComparison extends Both<RunSide> {
  /** Undefined unless both runs have their settings on record. */
  readonly settings: readonly SettingDifference[] | undefined;
  /** Datasets that differ, with their hashes; undefined in a run without it. */
  readonly data: readonly (Both<string | undefined> & { readonly name: string })[];
  /** How many decisions were the same, how many were not, and the first of the latter. */
  readonly decisions: {
    readonly same: number;
    readonly different: number;
    readonly first: Difference | undefined;
  };
  /** Orders of a decision in both runs, in one alone, and further ones of a run for one in both. */
  readonly orders: {
    readonly both: number;
    readonly onlyA: number;
    readonly onlyB: number;
    readonly moreA: number;
    readonly moreB: number;
  };
  readonly refusals: readonly (Both<number> & { readonly code: string })[];
  readonly attribution: readonly Attribution[];
  /** The figures of the reports; undefined unless both runs have one. */
  readonly metrics: Comparison | undefined;
}

/** Compares two runs. @throws {AppError} `journal` when one of them cannot be read. */
export function compareRuns(options: CompareOptions): RunComparison {
  const opened: RunSource[] = [];
  const open = (path: string, run: number | undefined): RunSource => {
    const source = openRunSource(path, run);
    opened.push(source);
    return source;
  };
  try {
    return compareSources(open(options.a, options.runA), open(options.b, options.runB));
  } catch (thrown) {
    throw asAppError(thrown);
  } finally {
    for (const source of opened) source.close();
  }
}

function compareSources(a: RunSource, b: RunSource): RunComparison {
  const digests = { a: new RunDigest(), b: new RunDigest() };
  const decisions = new Decisions();
  const names = shownNames(a, b);
  for (const { side, event } of merged(a.events(), b.events())) {
    const shown = renamed(event, names[side]);
    digests[side].take(shown);
    decisions.take(side, shown);
  }
  const { counts, ...decided } = decisions.end();
  const pairs = matchOrders(digests.a, digests.b);
  const hasSettings = a.settings !== undefined && b.settings !== undefined;
  const hasMetrics = a.metrics !== undefined && b.metrics !== undefined;
  return {
    a: sideOf(a, { digest: digests.a, decisions: counts.a }),
    b: sideOf(b, { digest: digests.b, decisions: counts.b }),
    settings: hasSettings
      ? settingDifferences(withShownNames(a.settings, names.a), withShownNames(b.settings, names.b))
      : undefined,
    data: dataDifferences(a, b),
    decisions: decided,
    orders: countPairs(pairs),
    refusals: refusalsOf(
      hasMetrics
        ? { a: refusedByReport(a.metrics), b: refusedByReport(b.metrics) }
        : refusedByJournal(digests),
    ),
    attribution: attribute({ pairs, marks: { a: a.marks, b: b.marks }, ...reportedProfits(a, b) }),
    metrics: hasMetrics ? compareMetrics(a.metrics, b.metrics) : undefined,
  };
}

type Side = 'a' | 'b';

/** The events of both runs in the order of their times. */
function* merged(
  a: Iterable<TradingEvent>,
  b: Iterable<TradingEvent>,
): Generator<{ readonly side: Side; readonly event: TradingEvent }> {
  const [ofA, ofB] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  let [nextA, nextB] = [ofA.next(), ofB.next()];
  while (nextA.done !== true || nextB.done !== true) {
    const isA =
      nextB.done === true || (nextA.done !== true && timeOf(nextA.value) <= timeOf(nextB.value));
    if (isA && nextA.done !== true) {
      yield { side: 'a', event: nextA.value };
      nextA = ofA.next();
    } else if (nextB.done !== true) {
      yield { side: 'b', event: nextB.value };
      nextB = ofB.next();
    }
  }
}

/** Decisions are in order per strategy and market: runs may hear markets in another order. */
function deskOfDecision({ strategy, decision }: MadeDecision): string {
  return decision.kind === 'over' ? strategy : deskOf({ strategy, market: decision.intent.market });
}

/** The decisions of both runs, strategy by strategy and market by market. */
class Decisions {
  readonly #alignments = new Alignments((difference) => this.#note(difference), deskOfDecision);
  #different = 0;
  #first: Difference | undefined;

  take(side: Side, event: TradingEvent): void {
    const decided = decisionOf(event);
    if (decided === undefined) return;
    const made = { ...decided, time: timeOf(event), input: undefined };
    this.#alignments.add(side === 'a' ? 'recorded' : 'replayed', made);
  }

  end() {
    const { recorded: a, replayed: b, same } = this.#alignments.end();
    return { counts: { a, b }, same, different: this.#different, first: this.#first };
  }

  #note(difference: Difference): void {
    this.#different++;
    const isEarlier = this.#first === undefined || timeOfBoth(difference) < timeOfBoth(this.#first);
    if (isEarlier) this.#first = difference;
  }
}

function timeOfBoth({ recorded, replayed }: Difference): number {
  return Math.min(recorded?.time ?? Infinity, replayed?.time ?? Infinity);
}

function sideOf(
  { title, seed }: RunSource,
  { digest, decisions }: { readonly digest: RunDigest; readonly decisions: number },
): RunSide {
  const orders = [...digest.orders.values()].filter(({ isOwn }) => isOwn);
  const times = (of: 'answeredMs' | 'filledMs'): number[] =>
    orders.flatMap(({ [of]: timeMs }) => (timeMs === undefined ? [] : [timeMs]));
  return {
    ...{ title, seed, decisions, orders: orders.length, fills: digest.fills },
    answeredMs: microseconds(medianOf(times('answeredMs'))),
    filledMs: microseconds(medianOf(times('filledMs'))),
    waitedMs: microseconds(digest.requests === 0 ? undefined : digest.waitedMs / digest.requests),
    ...{ ended: digest.ended, trading: digest.trading },
  };
}

/** Milliseconds rounded to the microsecond: times are no finer. */
function microseconds(timeMs: number | undefined): number | undefined {
  return timeMs === undefined ? undefined : Math.round(timeMs * 1_000) / 1_000;
}

function dataDifferences(a: RunSource, b: RunSource): RunComparison['data'] {
  const [ofA, ofB] = [a, b].map(({ inputs }) => new Map(inputs.map((one) => [one.name, one.hash])));
  return [...new Set([...ofA!.keys(), ...ofB!.keys()])].flatMap((name) => {
    const both = { a: ofA!.get(name), b: ofB!.get(name) };
    return both.a === both.b ? [] : [{ name, ...both }];
  });
}

function countPairs(pairs: readonly OrderPair[]): RunComparison['orders'] {
  const onlyA = pairs.filter(({ b }) => b === undefined).length;
  const onlyB = pairs.filter(({ a }) => a === undefined).length;
  const more = (side: Side): number =>
    pairs.reduce((sum, pair) => sum + (pair[side]?.count ?? 1) - 1, 0);
  const both = pairs.length - onlyA - onlyB;
  return { both, onlyA, onlyB, moreA: more('a'), moreB: more('b') };
}

type Counts = ReadonlyMap<string, number>;

/** How many wishes were refused, by the report. */
function refusedByReport(metrics: MetricsFile): Counts {
  return new Map(Object.entries(refusedWishes(metrics)));
}

/** Refusals by the journals, which hold only the first of a wish's equal refusals. */
function refusedByJournal({ a, b }: Both<RunDigest>): Both<Counts> {
  return { a: a.refusals, b: b.refusals };
}

function refusalsOf({ a, b }: Both<Counts>): RunComparison['refusals'] {
  const codes = new Set([...a.keys(), ...b.keys()]);
  return Array.from(codes, (code) => ({ code, a: a.get(code) ?? 0, b: b.get(code) ?? 0 }));
}

/** The profits of both reports, if they are in one currency and so are all fills. */
function reportedProfits(a: RunSource, b: RunSource) {
  const [ofA, ofB] = [a.metrics?.metrics.netProfit, b.metrics?.metrics.netProfit];
  const quote = a.metrics?.quote;
  if (ofA == null || ofB == null || quote === undefined || quote !== b.metrics?.quote) return {};
  const markets = [...a.metrics!.markets, ...b.metrics.markets];
  if (markets.some((id) => currenciesOf(id).quote !== quote)) return {};
  return { reported: { quote, a: Decimal.of(ofA), b: Decimal.of(ofB) } };
}
