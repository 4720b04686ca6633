import type { CandleColumns, DepthColumns } from '../../../domain/index.ts';
import { DEPTH_EVENTS, type Gap } from '../../../history/index.ts';
import { counted, HOUR_MS } from '../../../kernel/index.ts';
import { momentText } from '../moment.ts';

/** Ticks that do not come for so long are told of. Our choice: markets that trade at all are quicker. */
export const SILENCE_MS = HOUR_MS;

/** Holes that are told one by one. */
const HOLES_MAX = 20;

/** From when to when, milliseconds since the epoch: what is looked at, or where rows are missing. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The holes of a series in their order: the first of them one by one, all of them in sum. */
class Holes {
  readonly #first: Span[] = [];
  count = 0;
  lengthMs = 0;
  /** The first of the longest ones; undefined where there is none. */
  longest: Span | undefined;

  /** What lasts no time is none. */
  add(hole: Span): void {
    if (hole.toMs <= hole.fromMs) return;
    if (this.#first.length < HOLES_MAX) this.#first.push(hole);
    this.count++;
    this.lengthMs += lengthOf(hole);
    if (this.longest === undefined || lengthOf(hole) > lengthOf(this.longest)) this.longest = hole;
  }

  /** A sentence for each of the first, and one for all others. */
  list(text: (hole: Span) => string): string[] {
    const more = this.count - this.#first.length;
    const told = this.#first.map(text);
    return more > 0 ? [...told, `Places beyond these: ${more}.`] : told;
  }
}

function lengthOf({ fromMs, toMs }: Span): number {
  return toMs - fromMs;
}

function spanText({ fromMs, toMs }: Span): string {
  return `from ${momentText(fromMs)} to ${momentText(toMs)} UTC`;
}

/** Where the data of a market begin behind its run, or end ahead of it: whole sentences. */
export function edgeFindings(
  has: Span,
  { run, leastMs }: { readonly run: Span; readonly leastMs: number },
): string[] {
  const begins = `The data begin at ${momentText(has.fromMs)} UTC`;
  const ends = `The data end at ${momentText(has.toMs)} UTC`;
  return [
    ...(has.fromMs - run.fromMs >= leastMs
      ? [`${begins}, the run at ${momentText(run.fromMs)} UTC.`]
      : []),
    ...(run.toMs - has.toMs >= leastMs
      ? [`${ends}, the run at ${momentText(run.toMs)} UTC: the last price stands until then.`]
      : []),
  ];
}

/** Finds the faults of candles while they are played. */
export class CandleFindings {
  readonly #stepMs: number;
  readonly #endMs: number | undefined;
  readonly #missing = new Holes();
  #lastMs: number;
  #repeated = 0;
  #unpriced = 0;
  #impossible = 0;

  /** `span`: from the open of the first that should be there to the close of the last. */
  constructor(stepMs: number, span?: Span) {
    this.#stepMs = stepMs;
    this.#endMs = span?.toMs;
    this.#lastMs = span === undefined ? Number.NaN : span.fromMs - stepMs;
  }

  /** When the latest candle so far opened, milliseconds since the epoch; NaN where none is known. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Takes a chunk. Gives how many in it have no price or open no later than one before them. */
  observe(chunk: CandleColumns): number {
    const { time } = chunk;
    this.#impossible += impossibleIn(chunk);
    let lastMs = this.#lastMs;
    let repeated = 0;
    let unpriced = 0;
    for (let at = 0; at < time.length; at++) {
      const timeMs = time[at]!;
      if (!isPriced(chunk, at)) {
        unpriced++;
        continue;
      }
      if (timeMs <= lastMs) {
        repeated++;
        continue;
      }
      if (timeMs - lastMs > this.#stepMs) {
        this.#missing.add({ fromMs: lastMs + this.#stepMs, toMs: timeMs });
      }
      lastMs = timeMs;
    }
    this.#lastMs = lastMs;
    this.#repeated += repeated;
    this.#unpriced += unpriced;
    return repeated + unpriced;
  }

  /** No candle follows. */
  end(): void {
    if (this.#endMs === undefined) return;
    const missing = { fromMs: this.#lastMs + this.#stepMs, toMs: this.#endMs };
    if (missing.toMs - missing.fromMs >= this.#stepMs) this.#missing.add(missing);
  }

  /** How long candles are missing so far. */
  get missingMs(): number {
    return this.#missing.lengthMs;
  }

  /** How many are missing so far and where the longest hole is; undefined where none is. */
  get missing(): string | undefined {
    const { count, lengthMs, longest } = this.#missing;
    if (longest === undefined) return undefined;
    if (count === 1) return this.#holeText(longest);
    const holes = `${this.#missingText(lengthMs)}, in ${count} places`;
    const most = counted(this.#candlesIn(lengthOf(longest)), 'candle');
    return `${holes}; the longest hole, of ${most}, is ${spanText(longest)}.`;
  }

  #holeText(hole: Span): string {
    return `${this.#missingText(lengthOf(hole))} ${spanText(hole)}.`;
  }

  #missingText(ms: number): string {
    const count = this.#candlesIn(ms);
    return `${counted(count, 'candle')} ${count === 1 ? 'is' : 'are'} missing`;
  }

  #candlesIn(ms: number): number {
    return Math.round(ms / this.#stepMs);
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    const { missing } = this;
    return [
      ...(missing === undefined || this.#missing.count === 1 ? [] : [missing]),
      ...this.#missing.list((hole) => this.#holeText(hole)),
      ...(this.#repeated > 0
        ? [`Candles that open no later than one before them were passed over: ${this.#repeated}.`]
        : []),
      ...(this.#unpriced > 0
        ? [
            `Candles with a price of 0 or below were left out, as if they were missing: ${this.#unpriced}.`,
          ]
        : []),
      ...(this.#impossible > 0
        ? [
            `Candles that cannot be, by their high and low or by a volume below 0: ${this.#impossible}.`,
          ]
        : []),
    ];
  }
}

/** Whether a candle has prices: nothing is worth 0 or less for the length of one. */
export function isPriced({ open, high, low, close }: CandleColumns, at: number): boolean {
  return open[at]! > 0 && high[at]! > 0 && low[at]! > 0 && close[at]! > 0;
}

/** How many candles have an open or a close beyond high or low, or a volume below 0. */
function impossibleIn(chunk: CandleColumns): number {
  const { open, high, low, close, volume } = chunk;
  let count = 0;
  for (let at = 0; at < open.length; at++) {
    const isWithin =
      high[at]! >= Math.max(open[at]!, close[at]!) && low[at]! <= Math.min(open[at]!, close[at]!);
    if ((!isWithin || volume[at]! < 0) && isPriced(chunk, at)) count++;
  }
  return count;
}

/** How long candles are missing ahead of those of a chunk from the one at a place on. */
export function missingFrom({ time }: CandleColumns, at: number, stepMs: number): number {
  let missingMs = 0;
  for (let row = Math.max(1, at); row < time.length; row++) {
    missingMs += Math.max(0, time[row]! - time[row - 1]! - stepMs);
  }
  return missingMs;
}

/** Finds the gaps of recorded depth while it is played. */
export class DepthFindings {
  readonly #unknown = new Holes();
  readonly #span: Span;
  /** Since when the book is not known; NaN while it is. */
  #sinceMs: number;

  /** The book is not known before the first whole one. */
  constructor(span: Span) {
    this.#span = span;
    this.#sinceMs = span.fromMs;
  }

  /** Takes a chunk. */
  observe({ time, event }: DepthColumns): void {
    for (let at = 0; at < time.length; at++) {
      const what = event[at];
      const timeMs = time[at]!;
      if (what === DEPTH_EVENTS.gap) this.#begin(timeMs);
      else if (what === DEPTH_EVENTS.snapshot) this.#end(timeMs);
    }
  }

  /** Whether the book is known now. */
  get isKnown(): boolean {
    return Number.isNaN(this.#sinceMs);
  }

  /** No row follows: a gap that is open goes on to the end. */
  end(): void {
    this.#end(this.#span.toMs);
  }

  /** How long the book was unknown so far. */
  get missingMs(): number {
    return this.#unknown.lengthMs;
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    const unknown = this.#unknown;
    const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
    return [
      ...(unknown.count > 1
        ? [`The book is unknown in ${unknown.count} places, for ${seconds(unknown.lengthMs)}.`]
        : []),
      ...unknown.list(
        (hole) => `The book is unknown ${spanText(hole)}: for ${seconds(lengthOf(hole))}.`,
      ),
    ];
  }

  #begin(timeMs: number): void {
    if (Number.isNaN(this.#sinceMs)) this.#sinceMs = timeMs;
  }

  #end(timeMs: number): void {
    if (!Number.isNaN(this.#sinceMs)) this.#unknown.add({ fromMs: this.#sinceMs, toMs: timeMs });
    this.#sinceMs = Number.NaN;
  }
}

/** Finds the times of silence in ticks while they are played: who recorded them may have been away. */
export class SilenceFindings {
  readonly #silent = new Holes();
  /** Where rows are known to be missing: these are told already. */
  readonly #known: readonly Gap[];
  readonly #span: Span;
  #lastMs: number;

  constructor(known: readonly Gap[], span: Span) {
    this.#known = known;
    this.#span = span;
    this.#lastMs = span.fromMs;
  }

  /** Takes a chunk. */
  observe({ time }: Pick<DepthColumns, 'time'>): void {
    let lastMs = this.#lastMs;
    for (let at = 0; at < time.length; at++) {
      const timeMs = time[at]!;
      if (timeMs - lastMs >= SILENCE_MS) this.#note({ fromMs: lastMs, toMs: timeMs });
      lastMs = timeMs;
    }
    this.#lastMs = lastMs;
  }

  /** No row follows. */
  end(): void {
    const rest = { fromMs: this.#lastMs, toMs: this.#span.toMs };
    if (rest.toMs - rest.fromMs >= SILENCE_MS) this.#note(rest);
  }

  /** How long nothing was recorded, known gaps apart. */
  get missingMs(): number {
    return this.#silent.lengthMs;
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    const silent = this.#silent;
    const hours = (ms: number): string => `${(ms / HOUR_MS).toFixed(1)} hours`;
    return [
      ...(silent.count > 1
        ? [`Nothing happens in ${silent.count} places, for ${hours(silent.lengthMs)}.`]
        : []),
      ...silent.list((hole) => `Nothing happens ${spanText(hole)}: for ${hours(lengthOf(hole))}.`),
    ];
  }

  #note(hole: Span): void {
    const isKnown = this.#known.some(({ from, to }) => from < hole.toMs && to > hole.fromMs);
    if (!isKnown) this.#silent.add(hole);
  }
}

/** How long the gaps of a recording are within a period. */
export function gapsMs(gaps: readonly Gap[], { fromMs, toMs }: Span): number {
  const inside = gaps.map(({ from, to }) => Math.min(to, toMs) - Math.max(from, fromMs));
  return inside.reduce((sum, ms) => sum + Math.max(0, ms), 0);
}

/** The gaps of a recording that a period touches: whole sentences. */
export function gapFindings(gaps: readonly Gap[], { fromMs, toMs }: Span): string[] {
  const inside = gaps.filter(({ from, to }) => to > fromMs && from < toMs);
  const told = inside.slice(0, HOLES_MAX).map(({ from, to, reason }) => {
    return `Nothing is recorded from ${momentText(from)} to ${momentText(to)} UTC: ${reason}.`;
  });
  const more = inside.length - told.length;
  return more > 0 ? [...told, `Places beyond these: ${more}.`] : told;
}
