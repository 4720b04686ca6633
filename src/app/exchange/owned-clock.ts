import { type SchedulerAction, Subscription } from 'rxjs';
import type { Clock } from '../../kernel/index.ts';

/**
 * The same time, with all work that is scheduled through it belonging to one owner: it is let go of
 * when the owner is. What an embedded exchange still had in mind does not keep a process alive.
 */
export function ownedClock(clock: Clock, owner: Subscription): Clock {
  return {
    now: () => clock.now(),
    ...(clock.elapsedMs && { elapsedMs: clock.elapsedMs }),
    ...(clock.wallMs && { wallMs: clock.wallMs }),
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T) {
      if (owner.closed) return Subscription.EMPTY;
      const action = clock.schedule(work, delayMs, state);
      owner.add(action);
      return action;
    },
  };
}
