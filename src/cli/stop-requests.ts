import { defer, EMPTY, filter, fromEvent, map, merge, Observable, of } from 'rxjs';
import { rooms, type StopRequest } from '../app/index.ts';

const { messageOf, stackOf } = await rooms.nouns();

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof SIGNALS)[number];

/** Signals this close are one, milliseconds: npm repeats the Ctrl-C that a terminal sends. */
const ECHO_MS = 300;

/** Emits each signal that asks this process to stop. */
export const stopSignals = signalsHeard({ keepsEcho: false });

/**
 * The same for a run. For `ECHO_MS` after a signal it keeps listening even when unsubscribed: the
 * echo would kill a run that stopped sooner, before its summary.
 */
export const runSignals = signalsHeard({ keepsEcho: true });

function signalsHeard({ keepsEcho }: { readonly keepsEcho: boolean }): Observable<StopSignal> {
  return new Observable((subscriber) => {
    let heardMs = Number.NEGATIVE_INFINITY;
    const sinceMs = (): number => performance.now() - heardMs;
    const hear = (signal: StopSignal): void => {
      if (sinceMs() < ECHO_MS) return;
      heardMs = performance.now();
      subscriber.next(signal);
    };
    for (const signal of SIGNALS) process.on(signal, hear);
    const end = (): void => {
      for (const signal of SIGNALS) process.off(signal, hear);
    };
    return () => {
      const echoMs = keepsEcho ? ECHO_MS - sinceMs() : 0;
      if (echoMs > 0) setTimeout(end, echoMs).unref();
      else end();
    };
  });
}

/** Errors that nobody caught. While this is subscribed to they do not end the process. */
export const uncaught: Observable<unknown> = merge(
  fromEvent(process, 'uncaughtException', (thrown: unknown) => thrown),
  fromEvent(process, 'unhandledRejection', (thrown: unknown) => thrown),
);

/** Emits when the reader of standard output has gone, as with `| head`. */
const readerGone = fromEvent(
  process.stdout,
  'error',
  ({ code }: NodeJS.ErrnoException) => code,
).pipe(filter((code) => code === 'EPIPE'));

/**
 * Emits when the launcher of this process is gone, even if it was killed: signals sent to the
 * launcher no longer reach this process. Source: bin/tradewind.js.
 */
const launcherGone = merge(
  fromEvent(process, 'disconnect'),
  // `connected` is undefined where there never was a launcher.
  defer(() => (process.connected === false ? of(undefined) : EMPTY)),
);

/** Everything that asks a run to stop in order, except errors. */
export const stopWishes: Observable<StopRequest> = merge(
  stopSignals.pipe(map((signal) => `${signal} asked for it`)),
  launcherGone.pipe(map(() => 'its launcher is gone')),
  readerGone.pipe(map(() => 'nobody reads its output')),
).pipe(map((reason) => ({ reason, outcome: 'success' })));

/** Everything that asks work to stop in order. An uncaught error is also printed at once. */
export const stopRequests: Observable<StopRequest> = merge(
  stopWishes,
  uncaught.pipe(
    map((thrown): StopRequest => {
      const what = stackOf(thrown) ?? messageOf(thrown);
      process.stderr.write(`tradewind: unexpected, stopping in order: ${what}\n`);
      return { reason: `unexpected: ${messageOf(thrown)}`, outcome: 'defect' };
    }),
  ),
);
