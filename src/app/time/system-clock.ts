import type { Clock } from '../../kernel/index.ts';
import { TimerAction, type Work } from './timer-action.ts';

/** The two times that a machine has, in milliseconds. */
export interface MachineTime {
  /** Since the epoch; may be set back or forth at any moment. */
  readonly wall: () => number;
  /** Since the epoch as it was at the start; only ever runs. */
  readonly monotonic: () => number;
}

const { timeOrigin } = performance;

const MACHINE: MachineTime = {
  wall: () => Date.now(),
  monotonic: () => timeOrigin + performance.now(),
};

/**
 * Whole milliseconds that never run backwards and never stand still.
 *
 * Forward jumps of the machine's date (it slept, or was set) are followed; backward ones are not,
 * or heartbeats would be counted wrongly. The date is looked at once a millisecond: an order on its
 * way reads the clock dozens of times. `elapsedMs` is for what no jump may shorten, `wallMs` for
 * what others compare with their own date.
 */
export function steadyTime({ wall, monotonic }: MachineTime): () => number {
  let aheadMs = 0;
  let lookAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    let nowMs = monotonic() + aheadMs;
    if (nowMs >= lookAtMs) {
      const lagMs = wall() - nowMs;
      if (lagMs > 1) {
        aheadMs += lagMs;
        nowMs += lagMs;
      }
      lookAtMs = Math.floor(nowMs) + 1;
    }
    return Math.floor(nowMs);
  };
}

/** A clock on a machine's two times; its timers are Node's own. */
export function clockOf(time: MachineTime): Clock {
  return {
    now: steadyTime(time),
    elapsedMs: () => Math.floor(time.monotonic()),
    wallMs: () => Math.floor(time.wall()),
    schedule: <T>(work: Work<T>, delayMs = 0, state?: T) =>
      new TimerAction(work).schedule(state, delayMs),
  };
}

/** The machine's own time. */
export const systemClock: Clock = clockOf(MACHINE);
