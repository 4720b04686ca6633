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
 * Forward jumps of the machine's time are followed (it slept, or was set), backward ones are not:
 * heartbeats would count wrongly. They are looked for once in a millisecond: an order on its way
 * reads the clock dozens of times. What no jump may shorten goes by `elapsedMs`, what others hold
 * against their own date by `wallMs`.
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
