import type { CandleColumns, DepthColumns } from '../../domain/index.ts';
import { DEPTH_EVENTS, type Gap } from '../../history/index.ts';
import { HOUR_MS } from '../../kernel/index.ts';
import { momentText } from './moment.ts';

/** Ticks that do not come for so long are told of. Our choice: markets that trade at all are quicker. */
const SILENCE_MS = HOUR_MS;

/** Holes that are told one by one. */
const HOLES_MAX = 20;

/** Where rows are missing, and how many of them or how long. */
interface Hole {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The holes of a series in their order: the first of them one by one, all of them in sum. */
class Holes {
  readonly #first: Hole[] = [];
  count = 0;
  lengthMs = 0;

  add(hole: Hole): void {
    if (this.#first.length < HOLES_MAX) this.#first.push(hole);
    this.count++;
    this.lengthMs += hole.toMs - hole.fromMs;
  }

  /** A sentence for each of the first, and one for all others. */
  list(text: (hole: Hole) => string): string[] {
    const more = this.count - this.#first.length;
    const told = this.#first.map(text);
    return more > 0 ? [...told, `Places beyond these: ${more}.`] : told;
  }
}

function spanText({ fromMs, toMs }: Hole): string {
  return `from ${momentText(fromMs)} to ${momentText(toMs)} UTC`;
}

/** Finds the faults of candles while they are played. */
export class CandleFindings {
  readonly #stepMs: number;
  readonly #missing = new Holes();
  #lastMs = Number.NaN;
  #repeated = 0;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  /** Takes a chunk. */
  observe({ time }: CandleColumns): void {
    let lastMs = this.#lastMs;
    for (let at = 0; at < time.length; at++) {
      const timeMs = time[at]!;
      const distanceMs = timeMs - lastMs;
      lastMs = timeMs;
      if (distanceMs > this.#stepMs) {
        this.#missing.add({ fromMs: timeMs - distanceMs + this.#stepMs, toMs: timeMs });
      } else if (distanceMs <= 0) this.#repeated++;
    }
    this.#lastMs = lastMs;
  }

  /** How long candles are missing between the first and the last. */
  get missingMs(): number {
    return this.#missing.lengthMs;
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    const missing = this.#missing;
    const candlesIn = (ms: number): string => {
      const count = Math.round(ms / this.#stepMs);
      return count === 1 ? '1 candle is' : `${count} candles are`;
    };
    return [
      ...(missing.count > 1
        ? [`${candlesIn(missing.lengthMs)} missing, in ${missing.count} places.`]
        : []),
      ...missing.list((hole) => `${candlesIn(hole.toMs - hole.fromMs)} missing ${spanText(hole)}.`),
      ...(this.#repeated > 0
        ? [`Candles that open no later than the one before: ${this.#repeated}.`]
        : []),
    ];
  }
}

/** Finds the gaps of recorded depth while it is played. */
export class DepthFindings {
  readonly #unknown = new Holes();
  /** When the gap that is open began; NaN outside of gaps. */
  #sinceMs = Number.NaN;

  /** Takes a chunk. */
  observe({ time, event }: DepthColumns): void {
    for (let at = 0; at < time.length; at++) {
      const what = event[at];
      if (what === DEPTH_EVENTS.gap) this.#begin(time[at]!);
      else if (what === DEPTH_EVENTS.snapshot) this.#end(time[at]!);
    }
  }

  /** How long the book was unknown so far, between two that were known. */
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
        (hole) => `The book is unknown ${spanText(hole)}: for ${seconds(hole.toMs - hole.fromMs)}.`,
      ),
      ...(Number.isNaN(this.#sinceMs)
        ? []
        : [`The book is unknown from ${momentText(this.#sinceMs)} UTC to the end.`]),
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
  #lastMs = Number.NaN;

  constructor(known: readonly Gap[]) {
    this.#known = known;
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
      ...silent.list(
        (hole) => `Nothing happens ${spanText(hole)}: for ${hours(hole.toMs - hole.fromMs)}.`,
      ),
    ];
  }

  #note(hole: Hole): void {
    const isKnown = this.#known.some(({ from, to }) => from < hole.toMs && to > hole.fromMs);
    if (!isKnown) this.#silent.add(hole);
  }
}

/** How long the gaps of a recording are within a period. */
export function gapsMs(
  gaps: readonly Gap[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  const inside = gaps.map(({ from, to }) => Math.min(to, toMs) - Math.max(from, fromMs));
  return inside.reduce((sum, ms) => sum + Math.max(0, ms), 0);
}

/** The gaps of a recording that a period touches: whole sentences. */
export function gapFindings(
  gaps: readonly Gap[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): string[] {
  const inside = gaps.filter(({ from, to }) => to > fromMs && from < toMs);
  const told = inside.slice(0, HOLES_MAX).map(({ from, to, reason }) => {
    return `Nothing is recorded from ${momentText(from)} to ${momentText(to)} UTC: ${reason}.`;
  });
  const more = inside.length - told.length;
  return more > 0 ? [...told, `Places beyond these: ${more}.`] : told;
}
