import type { Span } from '../data/findings/span.ts';
import { firstUnended } from './outages.ts';

/** Tells when news of one kind reach the bot from one market. To be asked in order of time. */
export interface Hearing {
  /** When the bot hears of an event at `timeMs` that takes `takesMs` to arrive. */
  heardMs(timeMs: number, takesMs: number): number;
  /** When the bot next hears the present state if nothing happens; infinite: it does not. */
  nextMs(timeMs: number): number;
}

/** How a poller sends its requests. */
export interface Asking {
  /** When the first request that matters leaves, milliseconds since the epoch. */
  readonly firstMs: number;
  /** From one request to the next, if the answer is back by then. */
  readonly everyMs: number;
  /** How long a request waits for its answer before it has failed. */
  readonly timeoutMs: number;
  /** Longest pause after failures; it doubles with each. */
  readonly backoffMaxMs: number;
}

/**
 * Pushed data are heard when they arrive. What an outage swallows is read again once the line
 * stands.
 */
export class PushedHearing implements Hearing {
  readonly #outages: readonly Span[];
  #takesMs = 0;

  constructor(outages: readonly Span[]) {
    this.#outages = outages;
  }

  heardMs(timeMs: number, takesMs: number): number {
    this.#takesMs = takesMs;
    let leftMs = timeMs;
    for (let at = firstUnended(this.#outages, timeMs); ; at++) {
      const outage = this.#outages[at];
      if (outage === undefined || leftMs + takesMs < outage.fromMs) return leftMs + takesMs;
      leftMs = outage.toMs;
    }
  }

  nextMs(timeMs: number): number {
    const outage = this.#outages[firstUnended(this.#outages, timeMs)];
    if (outage === undefined) return Number.POSITIVE_INFINITY;
    return this.heardMs(Math.max(timeMs, outage.fromMs), this.#takesMs);
  }
}

/**
 * Polled data are heard with the answer to the next request. Requests go one at a time, so that a
 * slow answer delays the next request. A request in an outage gets no answer, and each failure
 * doubles the pause before the next try.
 */
export class PolledHearing implements Hearing {
  readonly #asking: Asking;
  readonly #outages: readonly Span[];
  #takesMs = 0;
  #askedMs = 0;
  #answeredMs = 0;
  /** Whether no event was heard with the newest answer yet: the first sets how long it takes. */
  #isIdle = true;

  constructor(asking: Asking, outages: readonly Span[]) {
    this.#asking = asking;
    this.#outages = outages;
    this.#ask(asking.firstMs);
  }

  heardMs(timeMs: number, takesMs: number): number {
    const isLater = timeMs > this.#askedMs;
    while (timeMs > this.#askedMs) {
      this.#leap(timeMs);
      this.#ask(this.#nextAskMs());
    }
    if (isLater || this.#isIdle) {
      this.#takesMs = takesMs;
      this.#ask(this.#askedMs);
    }
    this.#isIdle = false;
    return this.#answeredMs;
  }

  nextMs(): number {
    this.#ask(this.#nextAskMs());
    this.#isIdle = true;
    return this.#answeredMs;
  }

  #nextAskMs(): number {
    return Math.max(this.#askedMs + this.#asking.everyMs, this.#answeredMs);
  }

  /** Skips requests at a steady pace that no outage disturbs, up to the last one before a time. */
  #leap(timeMs: number): void {
    const outage = this.#outages[firstUnended(this.#outages, this.#askedMs)];
    const stepMs = Math.max(this.#asking.everyMs, this.#takesMs);
    // An answer that would arrive at the moment the outage begins is lost.
    const clearMs = Math.min(timeMs, (outage?.fromMs ?? timeMs) - 1) - stepMs;
    if (clearMs <= this.#askedMs) return;
    this.#askedMs += Math.floor((clearMs - this.#askedMs) / stepMs) * stepMs;
    this.#answeredMs = this.#askedMs + this.#takesMs;
  }

  /** Sends a request at a time, and further ones until one is answered. */
  #ask(timeMs: number): void {
    const { everyMs, timeoutMs, backoffMaxMs } = this.#asking;
    let askedMs = timeMs;
    for (let failures = 1; this.#isLost(askedMs); failures++) {
      askedMs += timeoutMs + Math.min(backoffMaxMs, everyMs * 2 ** failures);
    }
    this.#askedMs = askedMs;
    this.#answeredMs = askedMs + this.#takesMs;
  }

  #isLost(askedMs: number): boolean {
    const outage = this.#outages[firstUnended(this.#outages, askedMs)];
    return outage !== undefined && outage.fromMs <= askedMs + this.#takesMs;
  }
}
