import { defer, EMPTY, filter, fromEvent, map, merge, Observable, of } from 'rxjs';
import { rooms, type StopRequest } from '../app/index.ts';

const { messageOf, stackOf } = await rooms.nouns();

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof SIGNALS)[number];

/** npm passes a Ctrl-C on that the terminal has sent already: within this time both are one. */
const ECHO_MS = 300;

/** The signals that ask this process to stop, each time that one comes. */
export const stopSignals = signalsHeard({ keepsEcho: false });

/**
 * The same of a run that ends by itself: an echo behind a stop that took no longer would kill the
 * process ahead of its summary.
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

/** Emits when whoever read standard output has gone, as with `| head`. */
const readerGone = fromEvent(
  process.stdout,
  'error',
  ({ code }: NodeJS.ErrnoException) => code,
).pipe(filter((code) => code === 'EPIPE'));

/**
 * Emits when the launcher under which this process runs is gone, though it be killed: the signals
 * that it passes on can reach nobody any more. Source: bin/tradewind.js.
 */
const launcherGone = merge(
  fromEvent(process, 'disconnect'),
  // `connected` is undefined where there never was a launcher.
  defer(() => (process.connected === false ? of(undefined) : EMPTY)),
);

/** Everything but an error that asks a run to stop in order. */
export const stopWishes: Observable<StopRequest> = merge(
  stopSignals.pipe(map((signal) => `${signal} asked for it`)),
  launcherGone.pipe(map(() => 'its launcher is gone')),
  readerGone.pipe(map(() => 'nobody reads its output')),
).pipe(map((reason) => ({ reason, outcome: 'success' })));

/** Everything that asks work to stop in order. A defect is told to standard error at once. */
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
