import type { Subscription } from 'rxjs';
import type { Clock } from './clock.ts';

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Calls once at a time that may be moved.
 *
 * To move it back costs nothing: the work that is scheduled stays, and finds when it runs that it
 * is too early. Such a time moves back with every order, or every record of a feed, for hours on end.
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

  /** Rings at that time and at no other; infinite: at none. */
  set(atMs: number): void {
    this.#atMs = atMs;
    if (atMs < this.#workMs) this.#schedule();
  }

  /** Never rings again, unless it is set anew, and leaves the clock alone. */
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
