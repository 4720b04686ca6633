import { filter, map, type Observable, type OperatorFunction, share } from 'rxjs';
import { getOrInsert, type Logger, messageOf } from '../../../../kernel/index.ts';
import { excerpt, type Fields } from '../../wire/index.ts';

/** One shared stream per key: later subscribers join the running one. Default key: the query. */
export function sharedByKey<Q, T>(
  make: (query: Q) => Observable<T>,
  keyOf: (query: Q) => string = String,
): (query: Q) => Observable<T> {
  const streams = new Map<string, Observable<T>>();
  return (query) => getOrInsert(streams, keyOf(query), () => make(query).pipe(share()));
}

/** Reads each frame; one that cannot be read is logged and left out. */
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
