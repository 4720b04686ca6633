import { setImmediate } from 'node:timers/promises';
import { finalize, lastValueFrom, type Observable, Subscription } from 'rxjs';
import { assert, type Clock, VirtualClock } from '../../kernel/index.ts';
import { RehearsalClock } from './rehearsal-clock.ts';

/** How long virtual time runs before signals and the terminal get their turn. */
const WORK_MS = 20;

/**
 * Waits until an observable completes and gives its last value; drives a virtual clock meanwhile.
 */
export async function complete<T>(source: Observable<T>, clock: Clock): Promise<T | undefined> {
  let done = false;
  const watched = source.pipe(finalize(() => (done = true)));
  const completed = lastValueFrom(watched, { defaultValue: undefined });
  while (clock instanceof VirtualClock && !done) {
    const reading = readingOf(clock);
    if (reading !== undefined) await reading;
    else assert(clock.runNext(), 'Cannot go on: nothing is scheduled, yet work is open');
  }
  return completed;
}

/** Lets time pass: really, or at once on a virtual clock. Ends early with `until`. */
export async function pass(
  clock: Clock,
  { durationMs, until }: { readonly durationMs: number; readonly until: Observable<unknown> },
): Promise<void> {
  const waiting = new Subscription();
  const over = new Promise<void>((resolve) => waiting.add(() => resolve()));
  const end = (): void => waiting.unsubscribe();
  if (Number.isFinite(durationMs)) waiting.add(clock.schedule(end, durationMs));
  waiting.add(until.subscribe(end));
  let restedMs = performance.now();
  while (clock instanceof VirtualClock && !waiting.closed) {
    const reading = readingOf(clock);
    if (reading !== undefined) await reading;
    else if (performance.now() - restedMs < WORK_MS) clock.runNext();
    else {
      await setImmediate();
      restedMs = performance.now();
    }
  }
  return over;
}

function readingOf(clock: VirtualClock): Promise<unknown> | undefined {
  return clock instanceof RehearsalClock ? clock.reading() : undefined;
}
