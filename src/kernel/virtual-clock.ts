import { type SchedulerAction, Subscription } from 'rxjs';
import type { Clock } from './clock.ts';
import { assert } from './errors.ts';
import { Heap } from './heap.ts';

/** Cancelled work below this number is not worth a sweep. */
const ABANDONED_MIN = 1_024;

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** One piece of scheduled work; rxjs reschedules periodic work by calling `schedule` again. */
class VirtualAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #clock: VirtualClock;
  readonly #work: Work<T>;
  #state: T | undefined;
  dueMs = 0;
  sequence = 0;
  queued = false;

  constructor(clock: VirtualClock, work: Work<T>) {
    super();
    this.#clock = clock;
    this.#work = work;
  }

  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    this.#state = state;
    this.#clock.enqueue(this as VirtualAction<unknown>, delayMs);
    return this;
  }

  execute(): void {
    if (this.closed) return;
    this.#work.call(this, this.#state);
    if (!this.queued) this.unsubscribe();
  }

  override unsubscribe(): void {
    if (this.closed) return;
    super.unsubscribe();
    if (this.queued) this.#clock.abandon();
  }
}

/**
 * A clock that moves only when told: `advanceBy` and `advanceTo` run all work that falls due on the
 * way, in order of due time, then in order of scheduling.
 *
 * Built on a heap: rxjs's own VirtualTimeScheduler sorts on every insertion and is quadratic.
 */
export class VirtualClock implements Clock {
  // A number from the start: had the field once held undefined, each new time would be allocated.
  #nowMs = 0;
  /** No work falls due before this; the work due then may have been cancelled since. */
  #soonestMs = Number.POSITIVE_INFINITY;
  #sequence = 0;
  #abandoned = 0;
  readonly #queue = new Heap<VirtualAction<unknown>>(
    (a, b) => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence),
  );

  /** `startMs`: milliseconds since the epoch. Default: 0. */
  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  schedule<T>(work: Work<T>, delayMs = 0, state?: T): Subscription {
    return new VirtualAction<T>(this, work).schedule(state, delayMs);
  }

  /** Puts an action into the queue. Called by the actions themselves. */
  enqueue(action: VirtualAction<unknown>, delayMs: number): void {
    assert(!action.queued, 'Cannot schedule work: it is in the queue already, wait until it ran');
    assert(
      !Number.isNaN(delayMs),
      'Cannot schedule work: its delay is NaN, milliseconds are wanted',
    );
    action.dueMs = this.#nowMs + Math.max(0, delayMs);
    action.sequence = this.#sequence++;
    action.queued = true;
    if (action.dueMs < this.#soonestMs) this.#soonestMs = action.dueMs;
    this.#queue.push(action);
  }

  /**
   * Notes that queued work was cancelled. Called by the actions themselves.
   *
   * The work stays in the queue until its time or until half of the queue is cancelled work: so a
   * distant timeout for each event does not fill the memory.
   */
  abandon(): void {
    this.#abandoned++;
    if (this.#abandoned < ABANDONED_MIN || this.#abandoned * 2 < this.#queue.size) return;
    this.#queue.retain((action) => !action.closed);
    this.#abandoned = 0;
  }

  /** How much work is in the queue, cancelled work included. */
  get queued(): number {
    return this.#queue.size;
  }

  /** When the next work falls due, or undefined when nothing is scheduled. */
  get nextDueMs(): number | undefined {
    this.#dropClosed();
    return this.#queue.peek()?.dueMs;
  }

  /** Whether work may be due at the present time: it runs with `runDue`, or the next move. */
  get isDue(): boolean {
    return this.#soonestMs <= this.#nowMs;
  }

  /** Runs all that is due at the present time. */
  runDue(): void {
    this.advanceTo(this.#nowMs);
  }

  /** Runs the next due work and moves the time to it; false when nothing is scheduled. */
  runNext(): boolean {
    this.#dropClosed();
    const action = this.#queue.pop();
    if (action === undefined) return false;
    action.queued = false;
    this.#nowMs = Math.max(this.#nowMs, action.dueMs);
    action.execute();
    return true;
  }

  /** Moves the time to `toMs` and runs all that falls due until then, `toMs` included. */
  advanceTo(toMs: number): void {
    if (toMs >= this.#soonestMs) this.#runUntil(toMs, { isShort: false });
    if (toMs > this.#nowMs) this.#nowMs = toMs;
  }

  /** Moves the time to `toMs` and runs all that falls due before it; work due at `toMs` waits. */
  advanceShortOf(toMs: number): void {
    if (toMs > this.#soonestMs) this.#runUntil(toMs, { isShort: true });
    if (toMs > this.#nowMs) this.#nowMs = toMs;
  }

  advanceBy(durationMs: number): void {
    this.advanceTo(this.#nowMs + durationMs);
  }

  #runUntil(toMs: number, { isShort }: { readonly isShort: boolean }): void {
    let due = this.nextDueMs;
    for (; due !== undefined && due <= toMs; due = this.nextDueMs) {
      if (isShort && due === toMs) break;
      this.runNext();
    }
    this.#soonestMs = due ?? Number.POSITIVE_INFINITY;
  }

  #dropClosed(): void {
    while (this.#queue.peek()?.closed) {
      this.#queue.pop()!.queued = false;
      this.#abandoned--;
    }
  }
}
