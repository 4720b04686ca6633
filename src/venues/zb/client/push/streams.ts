import {
  filter,
  map,
  Observable,
  type OperatorFunction,
  type Subscriber,
  Subscription,
} from 'rxjs';
import { getOrInsert, type Logger, messageOf } from '../../../../kernel/index.ts';
import { excerpt, type Fields } from '../../wire/index.ts';

/** One shared stream a key: later subscribers join the one that runs. */
export function sharedByKey<Q, T>(
  keyOf: (query: Q) => string,
  make: (query: Q) => Observable<T>,
): (query: Q) => Observable<T> {
  const streams = new Map<string, Observable<T>>();
  return (query) => getOrInsert(streams, keyOf(query), () => shared(make(query)));
}

/**
 * `share` of rxjs without its subject: what comes with every tick goes straight to whoever listens.
 * It is subscribed to with the first of them, and let go of with the last.
 */
function shared<T>(source: Observable<T>): Observable<T> {
  let listeners: readonly Subscriber<T>[] = [];
  let connection = new Subscription();
  const end = (tell: (listener: Subscriber<T>) => void): void => {
    const told = listeners;
    listeners = [];
    for (const listener of told) tell(listener);
  };
  return new Observable((subscriber) => {
    listeners = [...listeners, subscriber];
    subscriber.add(() => {
      if (!listeners.includes(subscriber)) return;
      listeners = listeners.filter((other) => other !== subscriber);
      if (listeners.length === 0) connection.unsubscribe();
    });
    if (listeners.length > 1) return;
    connection = new Subscription();
    connection.add(
      source.subscribe({
        next: (value) => {
          for (const listener of listeners) listener.next(value);
        },
        error: (error) => end((listener) => listener.error(error)),
        complete: () => end((listener) => listener.complete()),
      }),
    );
  });
}

/** Reads each frame; one that cannot be read is told to the log and left out. */
export function readEach<T extends object>(
  read: (frame: Fields) => T,
  logger: Logger,
): OperatorFunction<Fields, T> {
  const tryRead = (frame: Fields): T | undefined => {
    try {
      return read(frame);
    } catch (error) {
      const fields = { frame: excerpt(frame), reason: messageOf(error) };
      logger.warn(fields, 'push frame is not legible');
      return undefined;
    }
  };
  return (frames) =>
    frames.pipe(
      map(tryRead),
      filter((value) => value !== undefined),
    );
}
