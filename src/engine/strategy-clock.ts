import type { SchedulerAction } from 'rxjs';
import { type TradingEvent, timeOf } from '../domain/index.ts';
import { type Bus, type Clock, RESTLESS, restlessness } from '../kernel/index.ts';

interface StrategyClockOptions {
  readonly bus: Bus<TradingEvent>;
  readonly strategy: string;
  /** Default: 1. */
  readonly step?: number;
  /** Told, with the reason, of a strategy whose timers let no time pass; they do no more then. */
  readonly onRestless?: (reason: string) => void;
}

/**
 * A clock for one strategy that puts the going off of its timers on the bus: when a timer went off
 * between two records is chance on a machine's clock, and a replay must do it at the same place.
 *
 * Nor does it move while the strategy hears of something: it shows the time of that event, or of the
 * timer, which is all that a journal has. What `debounceTime` makes of it comes out alike in a replay.
 *
 * A timer is named by its number among all that the strategy has scheduled, from 1. One that is
 * scheduled again, as that of `interval`, keeps its number. Another clock of the same strategy counts
 * in other steps: -1 names its timers from -1 downwards.
 */
export function strategyClock(
  clock: Clock,
  { bus, strategy, step = 1, onRestless = () => {} }: StrategyClockOptions,
): Clock {
  let last = 0;
  let shownMs = Number.NEGATIVE_INFINITY;
  /** When the timer went off whose work is being done. */
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
