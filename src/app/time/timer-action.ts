import { type SchedulerAction, Subscription } from 'rxjs';

export type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** Longest delay that a timer of Node holds: 2^31 - 1, 24 days. */
const TIMER_MAX_MS = 2_147_483_647;

/**
 * One piece of work on Node's timers, however far off it is.
 *
 * Once it has run, it leaves the subscription that it was added to. RxJS's own actions stay there
 * until that ends, and would pile up for days in a run.
 */
export class TimerAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #work: Work<T>;
  #timer: NodeJS.Timeout | undefined;

  constructor(work: Work<T>) {
    super();
    this.#work = work;
  }

  /** Runs the work in `delayMs` from now, in place of any time that was set before. */
  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    clearTimeout(this.#timer);
    this.#wait(state, Math.max(0, delayMs));
    return this;
  }

  #wait(state: T | undefined, delayMs: number): void {
    const laterMs = delayMs - TIMER_MAX_MS;
    this.#timer =
      laterMs > 0
        ? setTimeout(() => this.#wait(state, laterMs), TIMER_MAX_MS)
        : setTimeout(() => this.#run(state), delayMs);
  }

  #run(state: T | undefined): void {
    this.#timer = undefined;
    let isPeriodic = false;
    try {
      this.#work.call(this, state);
      // Periodic work has scheduled itself anew by now.
      isPeriodic = this.#timer !== undefined;
    } finally {
      if (!isPeriodic) this.unsubscribe();
    }
  }

  override unsubscribe(): void {
    clearTimeout(this.#timer);
    super.unsubscribe();
  }
}
