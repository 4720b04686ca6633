import { RehearsalClock } from './rehearsal-clock.ts';

type Action = Parameters<RehearsalClock['enqueue']>[0];

/** A clock that moves only when told, in whole milliseconds, as an exchange stamps them. */
export class SteppedClock extends RehearsalClock {
  /** Puts an action into the queue. Called by the actions themselves. */
  override enqueue(action: Action, delayMs: number): void {
    super.enqueue(action, Math.ceil(delayMs));
  }
}
