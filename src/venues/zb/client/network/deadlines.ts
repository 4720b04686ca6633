import type { Subscription } from 'rxjs';
import { type Clock, elapsedMs } from '../../../../kernel/index.ts';

interface Deadline {
  /** In elapsed time: a date that is set forth gives up nothing that has just left. */
  readonly dueMs: number;
  readonly expire: () => void;
}

/**
 * Expires whatever was not done `timeoutMs` after it began.
 *
 * All share one time-out, so the first that began is the first due: one scheduled wake-up serves
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

  /** Calls `expire` once the time is over; the function it returns calls that off. */
  begin(expire: () => void): () => void {
    const deadline = { dueMs: elapsedMs(this.#clock) + this.#timeoutMs, expire };
    this.#waiting.add(deadline);
    if (this.#wakeUp === undefined) this.#sleep(this.#timeoutMs);
    return () => this.#waiting.delete(deadline);
  }

  /** Wakes up no more: for when nothing waits, nor will. */
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
