import type { Clock } from '../kernel/index.ts';

/**
 * Does a piece of work when triggered, at most once in an interval: at once if the last time is an
 * interval ago, else when the interval is over, once for all triggers in between.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #work: () => void;
  #lastMs = Number.NEGATIVE_INFINITY;
  #pending = false;

  /** `intervalMs` 0: every trigger works at once. */
  constructor(options: { clock: Clock; intervalMs: number; work: () => void }) {
    this.#clock = options.clock;
    this.#intervalMs = options.intervalMs;
    this.#work = options.work;
  }

  trigger(): void {
    if (this.#pending) return;
    const waitMs = this.#lastMs + this.#intervalMs - this.#clock.now();
    if (waitMs <= 0) {
      this.#run();
      return;
    }
    this.#pending = true;
    // A clock that was set back must not keep the work waiting for longer than an interval.
    this.#clock.schedule(() => this.#run(), Math.min(waitMs, this.#intervalMs));
  }

  #run(): void {
    this.#pending = false;
    this.#lastMs = this.#clock.now();
    this.#work();
  }
}
