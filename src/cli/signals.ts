import { Observable } from 'rxjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof SIGNALS)[number];

/** The signals that ask this process to stop, each time that one comes. */
export const stopSignals = new Observable<StopSignal>((subscriber) => {
  const listeners = SIGNALS.map((signal) => ({ signal, listener: () => subscriber.next(signal) }));
  for (const { signal, listener } of listeners) process.on(signal, listener);
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
});
