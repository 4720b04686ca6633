import type { Span } from '../data/findings/span.ts';
import { firstUnended } from './outages.ts';

/** Tells when the news of one kind and market reach the bot. To be asked in order of time. */
export interface Hearing {
  /** When it hears what happens at `timeMs`, where that is under way for `takesMs`. */
  heardMs(timeMs: number, takesMs: number): number;
  /** When it hears next how things stand, though nothing happens; infinite: not before it does. */
  nextMs(timeMs: number): number;
}

/** How something is asked for again and again, as a poller does. */
export interface Asking {
  /** When one of the requests leaves, none that matters before it: milliseconds since the epoch. */
  readonly firstMs: number;
  /** From one request to the next, where the answer is back by then. */
  readonly everyMs: number;
  /** After which a request without an answer has failed. */
  readonly timeoutMs: number;
  /** Longest pause after failures; it doubles with each. */
  readonly backoffMaxMs: number;
}

/**
 * What is pushed is heard when it arrives. What an outage swallows is read when the line stands
 * again.
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
 * What is asked for is heard with the answer to the next request: one request at a time, so that a
 * slow answer delays the next one. A request in an outage has no answer, and the pause behind it
 * doubles with each.
 */
export class PolledHearing implements Hearing {
  readonly #asking: Asking;
  readonly #outages: readonly Span[];
  #takesMs = 0;
  #askedMs = 0;
  #answeredMs = 0;
  /** Nothing of what the newest answer tells has been asked about here. */
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

  /** Passes over requests whose answers are all alike, up to the last one before a time. */
  #leap(timeMs: number): void {
    const outage = this.#outages[firstUnended(this.#outages, this.#askedMs)];
    const stepMs = Math.max(this.#asking.everyMs, this.#takesMs);
    // An answer that arrives as the outage begins is lost.
    const clearMs = Math.min(timeMs, (outage?.fromMs ?? timeMs) - 1) - stepMs;
    if (clearMs <= this.#askedMs) return;
    this.#askedMs += Math.floor((clearMs - this.#askedMs) / stepMs) * stepMs;
    this.#answeredMs = this.#askedMs + this.#takesMs;
  }

  /** Asks at a time, and again until there is an answer. */
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
