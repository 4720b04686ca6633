import type { CandleColumns, DepthColumns } from '../../domain/index.ts';
import { DEPTH_EVENTS, type Gap } from '../../history/index.ts';
import { momentText } from './moment.ts';

/** Gaps that are told one by one. */
const GAPS_MAX = 20;

/** Counts the faults of candles while they are played. */
export class CandleFindings {
  readonly #stepMs: number;
  #lastMs = Number.NaN;
  #missing = 0;
  #places = 0;
  #firstMs = 0;
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
      if (distanceMs > this.#stepMs) this.#miss(timeMs, distanceMs);
      else if (distanceMs <= 0) this.#repeated++;
    }
    this.#lastMs = lastMs;
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    return [
      ...(this.#missing > 0
        ? [
            `Candles are missing: ${this.#missing} in ${placesText(this.#places)}, the first at ` +
              `${momentText(this.#firstMs)} UTC.`,
          ]
        : []),
      ...(this.#repeated > 0
        ? [`Candles that open no later than the one before: ${this.#repeated}.`]
        : []),
    ];
  }

  #miss(timeMs: number, distanceMs: number): void {
    if (this.#places++ === 0) this.#firstMs = timeMs - distanceMs + this.#stepMs;
    this.#missing += Math.round(distanceMs / this.#stepMs) - 1;
  }
}

/** Counts the gaps of recorded depth while it is played. */
export class DepthFindings {
  #places = 0;
  #firstMs = 0;
  #unknownMs = 0;
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

  /** What was found so far: whole sentences. */
  list(): string[] {
    if (this.#places === 0) return [];
    const seconds = (this.#unknownMs / 1_000).toFixed(1);
    const open = Number.isNaN(this.#sinceMs) ? '' : ' and to the end after the last';
    return [
      `The book is unknown in ${placesText(this.#places)}, the first at ` +
        `${momentText(this.#firstMs)} UTC: for ${seconds} s${open}.`,
    ];
  }

  #begin(timeMs: number): void {
    if (!Number.isNaN(this.#sinceMs)) return;
    this.#sinceMs = timeMs;
    if (this.#places++ === 0) this.#firstMs = timeMs;
  }

  #end(timeMs: number): void {
    if (Number.isNaN(this.#sinceMs)) return;
    this.#unknownMs += timeMs - this.#sinceMs;
    this.#sinceMs = Number.NaN;
  }
}

/** The gaps of a recording that a period touches: whole sentences. */
export function gapFindings(
  gaps: readonly Gap[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): string[] {
  const inside = gaps.filter(({ from, to }) => to > fromMs && from < toMs);
  const told = inside.slice(0, GAPS_MAX).map(({ from, to, reason }) => {
    return `Nothing is recorded from ${momentText(from)} to ${momentText(to)} UTC: ${reason}.`;
  });
  const more = inside.length - told.length;
  return more > 0 ? [...told, `Gaps beyond these: ${more}.`] : told;
}

function placesText(count: number): string {
  return count === 1 ? '1 place' : `${count} places`;
}
