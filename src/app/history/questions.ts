import { defaultIfEmpty, type Observable, retry, takeUntil, throwError, timer } from 'rxjs';
import { toFailure } from '../../exchange/index.ts';
import { SECOND_MS } from '../../kernel/index.ts';
import { SpacedQueue } from '../../market/index.ts';
import { read } from '../terminal/answers.ts';
import type { ConnectedVenue } from '../terminal/connected-venue.ts';

/** How often a request is repeated whose answer got lost; the pause doubles each time. */
const RETRIES = 5;
/** Our choice: a page of data is small. */
const TIMEOUT_MS = 10_000;

interface Asking {
  readonly venue: Pick<ConnectedVenue, 'host' | 'clock'>;
  /** Least milliseconds between two requests. */
  readonly spacingMs: number;
  /** Emits once no more requests are to be sent, also to whoever subscribes later. */
  readonly stopped: Observable<unknown>;
}

/** Sends a request and gives its answer; undefined once stopped. @throws {AppError} without one. */
export type Ask = <T>(request: () => Observable<T>) => Promise<T | undefined>;

/** Sends requests to a venue one at a time, no faster than it allows, and repeats lost ones. */
export function askerOf({ venue, spacingMs, stopped }: Asking): Ask {
  const { clock } = venue;
  const queue = new SpacedQueue({ clock, spacingMs, timeoutMs: TIMEOUT_MS });
  const later = (thrown: unknown, count: number): Observable<unknown> => {
    if (toFailure(thrown).kind === 'rejected') return throwError(() => thrown);
    return timer(SECOND_MS * 2 ** (count - 1), clock);
  };
  return (request) => {
    const answer = queue.run(request).pipe(retry({ count: RETRIES, delay: later }));
    return read(venue, answer.pipe(takeUntil(stopped), defaultIfEmpty(undefined)));
  };
}
