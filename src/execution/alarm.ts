import type { Subscription } from 'rxjs';
import type { Clock } from '../kernel/index.ts';

/** Calls once at a time that may be moved: one scheduled piece of work, however often it moves. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #work: Subscription | undefined;
  #atMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings at that time and at no other; infinite: never. */
  set(atMs: number): void {
    if (atMs === this.#atMs) return;
    this.#work?.unsubscribe();
    this.#work = undefined;
    this.#atMs = atMs;
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#work = this.#clock.schedule(() => {
      this.#atMs = Number.POSITIVE_INFINITY;
      this.#work = undefined;
      this.#ring();
    }, atMs - this.#clock.now());
  }
}
