import type { DepthColumns } from '../../../../domain/index.ts';
import type { Gap } from '../../../../history/index.ts';
import { HOUR_MS } from '../../../../kernel/index.ts';
import { Holes } from './holes.ts';
import type { Span } from './span.ts';

/** The least silence that is reported. Our choice: any market that trades at all is quicker. */
export const SILENCE_MS = HOUR_MS;

/** Finds long silences in ticks as they are read: the recorder may have been away. */
export class SilenceFindings {
  readonly #silent = new Holes();
  /** Where rows are known to be missing: these gaps are reported elsewhere. */
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

  /** No row follows: the silence up to the end of the span counts. */
  end(): void {
    const rest = { fromMs: this.#lastMs, toMs: this.#span.toMs };
    if (rest.toMs - rest.fromMs >= SILENCE_MS) this.#note(rest);
  }

  /** For how long nothing was recorded so far, apart from known gaps. */
  get missingMs(): number {
    return this.#silent.lengthMs;
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    return this.#silent.tell('No row was recorded', (ms) => `${(ms / HOUR_MS).toFixed(1)} hours`);
  }

  #note(hole: Span): void {
    const isKnown = this.#known.some(({ from, to }) => from < hole.toMs && to > hole.fromMs);
    if (!isKnown) this.#silent.add(hole);
  }
}
