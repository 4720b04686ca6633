import type { Subscription } from 'rxjs';
import type { Clock } from './clock.ts';

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Calls back once, at a time that may be moved.
 *
 * Postponing it costs nothing: the timer that is scheduled stays, wakes too early and schedules
 * itself anew. Some deadlines are postponed with every order or record of a feed, for hours on end.
 */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #work: Subscription | undefined;
  /** When the work runs. */
  #workMs = NEVER;
  #atMs = NEVER;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings at that time and no longer at the one set before; infinite: never. */
  set(atMs: number): void {
    this.#atMs = atMs;
    if (atMs < this.#workMs) this.#schedule();
  }

  /** Rings no more until it is set anew, and takes its timer off the clock. */
  cancel(): void {
    this.#work?.unsubscribe();
    this.#work = undefined;
    this.#workMs = NEVER;
    this.#atMs = NEVER;
  }

  #schedule(): void {
    this.#work?.unsubscribe();
    this.#workMs = this.#atMs;
    this.#work = this.#clock.schedule(() => this.#wake(), this.#atMs - this.#clock.now());
  }

  #wake(): void {
    this.#work = undefined;
    this.#workMs = NEVER;
    if (this.#atMs === NEVER) return;
    if (this.#atMs > this.#clock.now()) {
      this.#schedule();
      return;
    }
    this.#atMs = NEVER;
    this.#ring();
  }
}
