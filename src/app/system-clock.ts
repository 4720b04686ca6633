import { asyncScheduler, type SchedulerAction, type Subscription } from 'rxjs';
import type { Clock } from '../kernel/index.ts';

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** Longest delay that a timer of Node holds: 2^31 - 1, 24 days. Longer ones come that early. */
const TIMER_MAX_MS = 2_147_483_647;

let aheadMs = 0;

/**
 * Whole milliseconds that never run backwards and never stand still.
 *
 * Forward jumps of the machine's time are followed (it slept, or was set), backward ones are not:
 * rate windows and heartbeats would count wrongly.
 */
function steadyNow(): number {
  const monotonic = performance.timeOrigin + performance.now() + aheadMs;
  const lag = Date.now() - monotonic;
  if (lag > 1) aheadMs += lag;
  return Math.floor(lag > 1 ? monotonic + lag : monotonic);
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: steadyNow,
  schedule: <T>(work: Work<T>, delayMs = 0, state?: T) =>
    asyncScheduler.schedule(work, Math.min(Math.max(0, delayMs), TIMER_MAX_MS), state),
};

/**
 * Time that runs `speed` times faster than the machine's, beginning at its present time.
 *
 * For rehearsals: with speed 60 the exchange's timed cancel fires after a second.
 */
export function scaledClock(speed: number): Clock {
  const originMs = systemClock.now();
  return {
    now: () => originMs + (systemClock.now() - originMs) * speed,
    schedule<T>(work: Work<T>, delayMs = 0, state?: T): Subscription {
      return systemClock.schedule<T>(
        function run(present?: T) {
          work.call(scaled(this, speed), present);
        },
        delayMs / speed,
        state,
      );
    },
  };
}

/** The action as work sees it: rescheduling counts in scaled milliseconds too. */
function scaled<T>(action: SchedulerAction<T>, speed: number): SchedulerAction<T> {
  return new Proxy(action, {
    get(target, key) {
      if (key === 'schedule') {
        return (state?: T, delayMs = 0) => target.schedule(state, delayMs / speed);
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
