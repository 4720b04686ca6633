import { setImmediate } from 'node:timers/promises';
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

/** How long virtual time runs before signals and the terminal get their turn. */
const WORK_MS = 20;

export interface PassOptions {
  readonly durationMs: number;
  /** Ends it early. */
  readonly until: Observable<unknown>;
  /** What virtual time must wait for, because it comes from outside: a file that is being read. */
  readonly pending?: () => Promise<unknown> | undefined;
}

/** Lets time pass: really, or at once on a virtual clock. Ends early with `until`. */
export async function pass(clock: Clock, options: PassOptions): Promise<void> {
  const { durationMs, until, pending } = options;
  const waiting = new Subscription();
  const over = new Promise<void>((resolve) => waiting.add(() => resolve()));
  const end = (): void => waiting.unsubscribe();
  if (Number.isFinite(durationMs)) waiting.add(clock.schedule(end, durationMs));
  waiting.add(until.subscribe(end));
  let restedMs = performance.now();
  while (clock instanceof VirtualClock && !waiting.closed) {
    const work = pending?.();
    if (work !== undefined) await work;
    else if (performance.now() - restedMs < WORK_MS) clock.runNext();
    else {
      await setImmediate();
      restedMs = performance.now();
    }
  }
  return over;
}
