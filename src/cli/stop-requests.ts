import { map, merge, Observable } from 'rxjs';
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
export const uncaught: Observable<unknown> = fromProcess((hear) => [
  { event: 'uncaughtException', listener: hear },
  { event: 'unhandledRejection', listener: hear },
]);

/** Emits when whoever read standard output has gone, as with `| head`. */
const readerGone = new Observable<void>((subscriber) => {
  const listener = ({ code }: NodeJS.ErrnoException): void => {
    if (code === 'EPIPE') subscriber.next();
  };
  process.stdout.on('error', listener);
  return () => process.stdout.off('error', listener);
});

/**
 * Emits when the launcher under which this process runs is gone, though it be killed: the signals
 * that it passes on can reach nobody any more. Source: bin/tradewind.js.
 */
const launcherGone = new Observable<void>((subscriber) => {
  const listener = (): void => subscriber.next();
  process.on('disconnect', listener);
  // `connected` is undefined where there never was a launcher.
  if (process.connected === false) listener();
  return () => process.off('disconnect', listener);
});

/** Everything but an error that asks a run to stop in order. */
export const stopWishes: Observable<StopRequest> = merge(
  stopSignals.pipe(
    map((signal) => ({ reason: `${signal} asked for it`, outcome: 'success' as const })),
  ),
  launcherGone.pipe(map(() => ({ reason: 'its launcher is gone', outcome: 'success' as const }))),
  readerGone.pipe(map(() => ({ reason: 'nobody reads its output', outcome: 'success' as const }))),
);

/** Everything that asks work to stop in order. A defect is told to standard error at once. */
export const stopRequests: Observable<StopRequest> = merge(
  stopWishes,
  uncaught.pipe(
    map((thrown) => {
      const what = stackOf(thrown) ?? messageOf(thrown);
      process.stderr.write(`tradewind: unexpected, stopping in order: ${what}\n`);
      return { reason: `unexpected: ${messageOf(thrown)}`, outcome: 'defect' as const };
    }),
  ),
);

interface Hearing {
  readonly event: string;
  readonly listener: (value: unknown) => void;
}

function fromProcess<T>(listen: (hear: (value: T) => void) => readonly Hearing[]): Observable<T> {
  return new Observable((subscriber) => {
    const hearings = listen((value) => subscriber.next(value));
    for (const { event, listener } of hearings) process.on(event, listener);
    return () => {
      for (const { event, listener } of hearings) process.off(event, listener);
    };
  });
}
