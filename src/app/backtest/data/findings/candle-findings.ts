import type { CandleColumns } from '../../../../domain/index.ts';
import { counted } from '../../../../kernel/index.ts';
import { Holes } from './holes.ts';
import { lengthOf, type Span, spanText } from './span.ts';

/** Finds the faults of candles as they are read. */
export class CandleFindings {
  readonly #stepMs: number;
  readonly #endMs: number | undefined;
  readonly #missing = new Holes();
  #lastMs: number;
  #repeated = 0;
  #unpriced = 0;
  #impossible = 0;

  /** `span`: from the open of the first candle that should be there to the close of the last. */
  constructor(stepMs: number, span?: Span) {
    this.#stepMs = stepMs;
    this.#endMs = span?.toMs;
    this.#lastMs = span === undefined ? Number.NaN : span.fromMs - stepMs;
  }

  /** When the latest candle so far opened, milliseconds since the epoch; NaN where none is known. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Takes a chunk. Returns how many candles lack prices or open no later than one before. */
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

  /** No candle follows: those missing up to the end of the span count. */
  end(): void {
    if (this.#endMs === undefined) return;
    const missing = { fromMs: this.#lastMs + this.#stepMs, toMs: this.#endMs };
    if (missing.toMs - missing.fromMs >= this.#stepMs) this.#missing.add(missing);
  }

  /** For how long candles are missing so far. */
  get missingMs(): number {
    return this.#missing.lengthMs;
  }

  /** How many candles are missing so far, and the longest hole; undefined where none is. */
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
        ? [
            `Candles left out because an earlier row has the same or a later time: ${this.#repeated}.`,
          ]
        : []),
      ...(this.#unpriced > 0
        ? [
            `Candles left out, and counted as missing, because a price is 0 or below: ${this.#unpriced}.`,
          ]
        : []),
      ...(this.#impossible > 0
        ? [
            `Impossible candles (open or close beyond high or low, or a volume below 0): ${this.#impossible}.`,
          ]
        : []),
    ];
  }
}

/** Whether all prices of a candle are above 0. */
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

/** For how long candles are missing within a chunk, ahead of its rows from `at` on. */
export function missingFrom({ time }: CandleColumns, at: number, stepMs: number): number {
  let missingMs = 0;
  for (let row = Math.max(1, at); row < time.length; row++) {
    missingMs += Math.max(0, time[row]! - time[row - 1]! - stepMs);
  }
  return missingMs;
}
