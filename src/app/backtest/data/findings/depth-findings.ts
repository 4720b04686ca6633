import type { DepthColumns } from '../../../../domain/index.ts';
import { DEPTH_EVENTS } from '../../../../history/index.ts';
import { Holes } from './holes.ts';
import type { Span } from './span.ts';

/** Finds the gaps of recorded depth as it is read. */
export class DepthFindings {
  readonly #unknown = new Holes();
  readonly #span: Span;
  /** Since when the book is not known; NaN while it is. */
  #sinceMs: number;

  /** `span`: what the rows should cover. The book is unknown before the first whole one. */
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

  /** No row follows: a gap that is open lasts to the end of the span. */
  end(): void {
    this.#end(this.#span.toMs);
  }

  /** For how long the book was unknown so far. */
  get missingMs(): number {
    return this.#unknown.lengthMs;
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    return this.#unknown.tell('The book is unknown', (ms) => `${(ms / 1_000).toFixed(1)} s`);
  }

  #begin(timeMs: number): void {
    if (Number.isNaN(this.#sinceMs)) this.#sinceMs = timeMs;
  }

  #end(timeMs: number): void {
    if (!Number.isNaN(this.#sinceMs)) this.#unknown.add({ fromMs: this.#sinceMs, toMs: timeMs });
    this.#sinceMs = Number.NaN;
  }
}
