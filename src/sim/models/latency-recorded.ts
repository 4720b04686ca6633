import { SimulationError } from '../errors.ts';

/** Columns that tell when rows happened and when they were received. */
interface Stamps {
  readonly time: Float64Array;
  readonly received: Float64Array;
}

/** How long each row of a recording was under way. */
export interface RecordedLatency {
  readonly confession: string;
  /**
   * How long row `at` takes, milliseconds. Call it in the order of the rows: a row without a stamp
   * takes as long as the row of the call before.
   */
  of(rows: Stamps, at: number): number;
}

/**
 * Looks at the stamps of a recording before it is replayed: how long its rows were under way by the
 * clock of the exchange and that of the recorder.
 */
export class StampSurvey {
  #first = Number.NaN;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #rows = 0;
  #stamped = 0;
  #negative = 0;

  /** Takes a chunk of rows into account. */
  observe({ time, received }: Stamps): void {
    for (let at = 0; at < time.length; at++) {
      this.#rows++;
      const latencyMs = received[at]! - time[at]!;
      if (Number.isNaN(latencyMs)) continue;
      if (this.#stamped++ === 0) this.#first = latencyMs;
      if (latencyMs < 0) this.#negative++;
      if (latencyMs < this.#least) this.#least = latencyMs;
      if (latencyMs > this.#most) this.#most = latencyMs;
    }
  }

  /**
   * The latency by the stamps.
   *
   * `negative`: what to do if rows seem to have been received before they happened: `refuse`, or
   * `shift` all rows so that the shortest latency is `leastMs`.
   *
   * @throws {SimulationError} when no row has both stamps, or negative latencies are refused.
   */
  latency(options: { readonly negative: 'refuse' | 'shift'; readonly leastMs: number }) {
    const { negative, leastMs } = options;
    if (this.#stamped === 0) {
      throw new SimulationError(
        `Cannot take the latency of the recording: none of its ${this.#rows} rows says when it ` +
          'was received, such stamps or another latency are wanted',
      );
    }
    if (this.#negative === 0) return this.#recorded(0, this.#spanText());
    if (negative === 'refuse') {
      throw new SimulationError(
        `Cannot take the latency of the recording: ${this.#negative} of ${this.#stamped} rows ` +
          `were received before they happened, the first by ${text(-this.#least)} ms, so the ` +
          'clocks disagree; `recorded: shift` or another latency is wanted',
      );
    }
    const shiftMs = leastMs - this.#least;
    const what =
      `${this.#spanText()} The recorder's clock is behind the exchange's (${this.#negative} of ` +
      `${this.#stamped} rows seem to arrive before they happened), so ${text(shiftMs)} ms are ` +
      `added to each: the shortest takes ${leastMs} ms, an assumption; only the differences are ` +
      'measured.';
    return this.#recorded(shiftMs, what);
  }

  #recorded(shiftMs: number, confession: string): RecordedLatency {
    let knownMs = this.#first;
    return {
      confession,
      of: ({ time, received }, at) => {
        const latencyMs = received[at]! - time[at]!;
        if (!Number.isNaN(latencyMs)) knownMs = latencyMs;
        return knownMs + shiftMs;
      },
    };
  }

  #spanText(): string {
    const unstamped = this.#rows - this.#stamped;
    const missing =
      unstamped === 0
        ? ''
        : ` ${unstamped} rows without a stamp take as long as the one before, or the first that ` +
          'has one.';
    return (
      `Market data take as long as they took when they were recorded, from ${text(this.#least)} ` +
      `to ${text(this.#most)} ms by the clocks of exchange and recorder.${missing}`
    );
  }
}

/** At most three decimals. */
function text(ms: number): string {
  return String(Math.round(ms * 1_000) / 1_000);
}
