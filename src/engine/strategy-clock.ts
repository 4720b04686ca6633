import type { SchedulerAction } from 'rxjs';
import { type TradingEvent, timeOf } from '../domain/index.ts';
import { type Bus, type Clock, RESTLESS, restlessness } from '../kernel/index.ts';

interface StrategyClockOptions {
  readonly bus: Bus<TradingEvent>;
  readonly strategy: string;
  /** Default: 1. */
  readonly step?: number;
  /**
   * Called with the reason when timers keep firing while no time passes; they then do nothing more.
   */
  readonly onRestless?: (reason: string) => void;
}

/**
 * A clock for one strategy that publishes each firing of its timers on the bus. On a real clock it
 * is chance between which two records a timer fires; a replay must fire it at the same place.
 *
 * While the strategy handles an event or a timer, the clock stands still at the time of that event,
 * the only time a journal has. So operators such as `debounceTime` do the same in a replay.
 *
 * A timer's number counts all timers the strategy has scheduled, from 1. A timer that reschedules
 * itself, such as that of `interval`, keeps its number. A second clock of the same strategy uses
 * step -1 and numbers its timers from -1 downwards.
 */
export function strategyClock(
  clock: Clock,
  { bus, strategy, step = 1, onRestless = () => {} }: StrategyClockOptions,
): Clock {
  let last = 0;
  let shownMs = Number.NEGATIVE_INFINITY;
  /** When the timer whose work is running fired. */
  let timerMs: number | undefined;
  const isRestless = restlessness(clock);
  return {
    now() {
      const heard = bus.delivered;
      const nowMs = heard === undefined ? (timerMs ?? clock.now()) : timeOf(heard);
      if (nowMs > shownMs) shownMs = nowMs;
      return shownMs;
    },
    ...(clock.elapsedMs && { elapsedMs: clock.elapsedMs }),
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T) {
      last += step;
      const timer = last;
      return clock.schedule<T>(
        function goOff(this: SchedulerAction<T>, now?: T) {
          if (isRestless()) return onRestless(RESTLESS);
          const time = clock.now();
          bus.publish({ kind: 'timer', time, strategy, timer });
          timerMs = time;
          try {
            work.call(this, now);
          } finally {
            timerMs = undefined;
          }
        },
        delayMs,
        state,
      );
    },
  };
}
