import { type SchedulerAction, Subscription } from 'rxjs';
import type { Clock } from '../../kernel/index.ts';

/**
 * A clock whose scheduled work belongs to one owner and is cancelled with it: pending work of an
 * embedded exchange does not keep a process alive.
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
