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
    schedule<T>(work: Work<T>, delayMs = 0, state?: T) {
      return new OwnedAction({ clock, owner, work }).schedule(state, delayMs);
    },
  };
}

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** Work of an owner, who knows of it as long as it waits: days of it are not kept. */
class OwnedAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #parts: { readonly clock: Clock; readonly owner: Subscription; readonly work: Work<T> };
  #timer: Subscription = Subscription.EMPTY;

  constructor(parts: { clock: Clock; owner: Subscription; work: Work<T> }) {
    super(() => this.#timer.unsubscribe());
    this.#parts = parts;
  }

  schedule(state?: T, delayMs = 0): Subscription {
    const { clock, owner } = this.#parts;
    this.#timer.unsubscribe();
    if (this.closed || owner.closed) return this;
    this.#timer = clock.schedule(() => this.#run(state), delayMs);
    owner.add(this.#timer);
    return this;
  }

  #run(state: T | undefined): void {
    // Done with, it is no longer its owner's.
    this.#timer.unsubscribe();
    this.#parts.work.call(this, state);
  }
}
