import { type SchedulerAction, Subscription } from 'rxjs';
import { clockOf } from '../../src/app/time/system-clock.ts';
import type { Clock, Random, VirtualClock } from '../../src/kernel/index.ts';

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

export interface VirtualProcessOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  /** How far the machine's date is ahead of the exchange's at any time, milliseconds. Default: 0. */
  readonly aheadMs?: () => number;
}

/**
 * One process of an operating system: a date that can be wrong, timers that come late, an event
 * loop that can stall, and an end without farewell.
 *
 * A stalled process does nothing; afterwards its overdue timers run, then what the network brought
 * meanwhile, as Node does it. A killed one does nothing ever again.
 */
export class VirtualProcess implements Clock {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly now: () => number;
  readonly elapsedMs: () => number;
  readonly wallMs: () => number;
  #alive = true;
  #diedMs = Number.POSITIVE_INFINITY;
  #stalled = false;
  #overdue: (() => void)[] = [];
  #arrived: (() => void)[] = [];

  constructor({ clock, random, aheadMs = () => 0 }: VirtualProcessOptions) {
    this.#clock = clock;
    this.#random = random;
    const startAheadMs = aheadMs();
    const time = clockOf({
      wall: () => clock.now() + aheadMs(),
      monotonic: () => clock.now() + startAheadMs,
    });
    this.now = time.now;
    this.elapsedMs = time.elapsedMs!;
    this.wallMs = time.wallMs!;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** When it was killed, by the exchange's clock; infinite while it lives. */
  get diedMs(): number {
    return this.#diedMs;
  }

  schedule<T>(work: Work<T>, delayMs = 0, state?: T): Subscription {
    return new ProcessAction<T>(work, (run, afterMs) => this.#timer(run, afterMs)).schedule(
      state,
      delayMs,
    );
  }

  /** Hands it what came over the network. */
  deliver(work: () => void): void {
    if (!this.#alive) return;
    if (this.#stalled) this.#arrived.push(work);
    else work();
  }

  /** The event loop hangs until `resume`. */
  stall(): void {
    this.#stalled = true;
  }

  resume(): void {
    this.#stalled = false;
    const works = [...this.#overdue, ...this.#arrived];
    this.#overdue = [];
    this.#arrived = [];
    for (const work of works) if (this.#alive) work();
  }

  /** Kill -9. */
  kill(): void {
    this.#alive = false;
    this.#diedMs = this.#clock.now();
    this.#overdue = [];
    this.#arrived = [];
  }

  /** Timers fire up to a millisecond late, never early. */
  #timer(run: () => void, delayMs: number): Subscription {
    if (!this.#alive) return Subscription.EMPTY;
    const lateMs = delayMs > 0 ? this.#random.integer(2) : 0;
    return this.#clock.schedule(() => {
      if (!this.#alive) return;
      if (this.#stalled) this.#overdue.push(run);
      else run();
    }, Math.max(0, delayMs) + lateMs);
  }
}

/** Work that the process has scheduled; rxjs reschedules by calling `schedule` again. */
class ProcessAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #work: Work<T>;
  readonly #timer: (run: () => void, delayMs: number) => Subscription;
  #waiting: Subscription | undefined;

  constructor(work: Work<T>, timer: (run: () => void, delayMs: number) => Subscription) {
    super();
    this.#work = work;
    this.#timer = timer;
  }

  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    this.#waiting?.unsubscribe();
    this.#waiting = this.#timer(() => this.#run(state), delayMs);
    return this;
  }

  override unsubscribe(): void {
    this.#waiting?.unsubscribe();
    super.unsubscribe();
  }

  #run(state: T | undefined): void {
    if (this.closed) return;
    this.#waiting = undefined;
    this.#work.call(this, state);
    if (this.#waiting === undefined) this.unsubscribe();
  }
}
