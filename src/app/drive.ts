import { type Observable, Subscription } from 'rxjs';
import { assert, type Clock, VirtualClock } from '../kernel/index.ts';

/**
 * Waits until an observable completes and gives its last value.
 *
 * On a virtual clock it moves the time until then, and is done when it returns.
 */
export function complete<T>(source: Observable<T>, clock: Clock): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    let last: T | undefined;
    let done = false;
    source.subscribe({
      next: (value) => {
        last = value;
      },
      error: (thrown) => {
        done = true;
        reject(thrown);
      },
      complete: () => {
        done = true;
        resolve(last);
      },
    });
    if (!(clock instanceof VirtualClock)) return;
    while (!done) assert(clock.runNext(), 'Cannot go on: nothing is scheduled, yet work is open');
  });
}

/** Lets time pass: really, or at once on a virtual clock. Ends early with `until`. */
export function pass(
  clock: Clock,
  { durationMs, until }: { readonly durationMs: number; readonly until: Observable<unknown> },
): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new Subscription(() => resolve());
    const end = (): void => waiting.unsubscribe();
    if (Number.isFinite(durationMs)) waiting.add(clock.schedule(end, durationMs));
    waiting.add(until.subscribe(end));
    if (clock instanceof VirtualClock) while (!waiting.closed && clock.runNext());
  });
}
