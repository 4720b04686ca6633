import { type SchedulerAction, Subscription } from 'rxjs';
import type { Clock } from '../../kernel/index.ts';

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** Work that waits until it is told to go off. */
class ReplayTimer<T> extends Subscription implements SchedulerAction<T> {
  readonly #work: Work<T>;
  #state: T | undefined;
  #waits = false;

  constructor(work: Work<T>) {
    super();
    this.#work = work;
  }

  schedule(state?: T): Subscription {
    this.#state = state;
    this.#waits = true;
    return this;
  }

  goOff(): void {
    if (!this.#waits) return;
    this.#waits = false;
    this.#work.call(this, this.#state);
    if (!this.#waits) this.unsubscribe();
  }
}

/** The time of a replay: it moves with the recorded events, and timers go off where they did. */
export class ReplayTimers {
  readonly #timers = new Map<string, ReplayTimer<unknown>>();
  #nowMs = Number.NEGATIVE_INFINITY;
  #heardMs = Number.NEGATIVE_INFINITY;

  /** Milliseconds since the epoch. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Moves the time forth, to that of an event; it never runs backwards. */
  moveTo(timeMs: number): void {
    this.#heardMs = timeMs;
    if (timeMs > this.#nowMs) this.#nowMs = timeMs;
  }

  /** A strategy's clock: shows the recorded run's times and numbers timers as that run did. */
  clockOf(strategy: string, step = 1): Clock {
    let last = 0;
    let shownMs = Number.NEGATIVE_INFINITY;
    return {
      now: () => {
        if (this.#heardMs > shownMs) shownMs = this.#heardMs;
        return shownMs;
      },
      schedule: <T>(work: Work<T>, _delayMs?: number, state?: T) => {
        last += step;
        const key = keyOf(strategy, last);
        const timer = new ReplayTimer(work);
        this.#timers.set(key, timer as ReplayTimer<unknown>);
        timer.add(() => this.#timers.delete(key));
        return timer.schedule(state);
      },
    };
  }

  /** Lets a timer go off; false if the strategy has none of that number now. */
  goOff(strategy: string, timer: number): boolean {
    const waiting = this.#timers.get(keyOf(strategy, timer));
    waiting?.goOff();
    return waiting !== undefined;
  }
}

function keyOf(strategy: string, timer: number): string {
  return `${timer} ${strategy}`;
}
