import type { Subscription } from 'rxjs';
import { type Clock, elapsedMs } from '../../../../kernel/index.ts';

interface Deadline {
  /** In elapsed time, so that setting the date forward expires nothing early. */
  readonly dueMs: number;
  readonly expire: () => void;
}

/**
 * Expires whatever is not done `timeoutMs` after it began.
 *
 * All have the same time-out, so the first to begin is the first due: one scheduled wake-up serves
 * them all, and a request that is answered in time costs no timer of its own.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #waiting = new Set<Deadline>();
  #wakeUp: Subscription | undefined;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Calls `expire` once the time is over; the function it returns prevents that. */
  begin(expire: () => void): () => void {
    const deadline = { dueMs: elapsedMs(this.#clock) + this.#timeoutMs, expire };
    this.#waiting.add(deadline);
    if (this.#wakeUp === undefined) this.#sleep(this.#timeoutMs);
    return () => this.#waiting.delete(deadline);
  }

  /** Cancels the wake-up. To be called when nothing waits any more. */
  close(): void {
    this.#wakeUp?.unsubscribe();
  }

  #sleep(delayMs: number): void {
    this.#wakeUp?.unsubscribe();
    this.#wakeUp = this.#clock.schedule(() => this.#wake(), delayMs);
  }

  #wake(): void {
    this.#wakeUp = undefined;
    const nowMs = elapsedMs(this.#clock);
    for (const deadline of this.#waiting) {
      if (deadline.dueMs > nowMs) {
        this.#sleep(deadline.dueMs - nowMs);
        return;
      }
      this.#waiting.delete(deadline);
      deadline.expire();
    }
  }
}
