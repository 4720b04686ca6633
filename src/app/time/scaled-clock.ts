import type { Subscription } from 'rxjs';
import { assert, type Clock, elapsedMs, VirtualClock } from '../../kernel/index.ts';

/** How long due work runs before sockets and signals get their turn. */
const WORK_MS = 5;

type Action = Parameters<VirtualClock['enqueue']>[0];

export interface ScaledClockOptions {
  /** The clock whose time is scaled. */
  readonly base: Clock;
  /** Milliseconds of this clock for one of the base; more than 0. */
  readonly scale: number;
  /** Milliseconds since the epoch at which it begins. Default: the base's time. */
  readonly startMs?: number | undefined;
}

/**
 * A clock that runs `scale` times as fast as another one, and can leap forward.
 *
 * Work runs at its own time and in order, however coarse the base's timers are: the time never
 * passes due work that has not run. If the machine cannot keep up, the clock falls behind
 * (`behindMs`) and nothing is left out. Times are whole milliseconds.
 */
export class ScaledClock extends VirtualClock {
  /** Milliseconds of this clock for one of the base. */
  readonly scale: number;
  readonly #base: Clock;
  readonly #baseStartMs: number;
  #startMs: number;
  #running = false;
  #stopped = false;
  #alarm: { readonly dueMs: number; readonly timer: Subscription } | undefined;

  constructor({ base, scale, startMs = base.now() }: ScaledClockOptions) {
    super(startMs);
    assert(scale > 0, `Cannot scale time by ${scale}: a number above 0 is wanted`);
    this.#base = base;
    this.scale = scale;
    this.#startMs = startMs;
    this.#baseStartMs = elapsedMs(base);
  }

  override now(): number {
    this.#settle();
    return super.now();
  }

  /** How far due work holds the time back, in milliseconds of this clock. */
  get behindMs(): number {
    return Math.max(0, this.#goalMs() - this.now());
  }

  /** Moves the clock forward. What falls due on the way runs in order, soon after this returns. */
  leap(durationMs: number): void {
    this.#startMs += durationMs;
    this.#arm();
  }

  /** Runs nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#alarm?.timer.unsubscribe();
  }

  /** Puts an action into the queue. Called by the actions themselves. */
  override enqueue(action: Action, delayMs: number): void {
    this.#settle();
    super.enqueue(action, Math.ceil(delayMs));
    if (!this.#running) this.#arm();
  }

  /** What the time would be if all work were done. */
  #goalMs(): number {
    const passedMs = (elapsedMs(this.#base) - this.#baseStartMs) * this.scale;
    return this.#startMs + Math.floor(passedMs);
  }

  /** Moves the time as far as it can go without running anything. */
  #settle(): void {
    if (this.#running) return;
    const { nextDueMs = Number.POSITIVE_INFINITY } = this;
    this.advanceTo(Math.min(this.#goalMs(), nextDueMs - 1));
  }

  #run(): void {
    this.#alarm = undefined;
    this.#running = true;
    const untilMs = elapsedMs(this.#base) + WORK_MS;
    try {
      while (this.#isDue() && elapsedMs(this.#base) < untilMs) this.runNext();
    } finally {
      this.#running = false;
      this.#arm();
    }
  }

  #isDue(): boolean {
    const { nextDueMs } = this;
    return !this.#stopped && nextDueMs !== undefined && nextDueMs <= this.#goalMs();
  }

  /** Sets the alarm for the next work that is due; at once if it is overdue. */
  #arm(): void {
    const { nextDueMs: dueMs } = this;
    if (this.#stopped || dueMs === undefined) return;
    const atMs = this.#baseStartMs + (dueMs - this.#startMs) / this.scale;
    const delayMs = Math.max(0, Math.ceil(atMs - elapsedMs(this.#base)));
    if (this.#alarm !== undefined && this.#alarm.dueMs <= atMs) return;
    this.#alarm?.timer.unsubscribe();
    this.#alarm = { dueMs: atMs, timer: this.#base.schedule(() => this.#run(), delayMs) };
  }
}
