import { catchError, EMPTY, endWith, ignoreElements, merge, type Observable } from 'rxjs';
import { toFailure } from '../../../exchange/index.ts';
import type { Logger } from '../../../kernel/index.ts';
import { pathOf } from '../wire/index.ts';
import type { HttpTransport } from './transport.ts';

/** Answered without signature and parameters. Source: wire facts, REST answers. */
export const UNSIGNED_PATH = pathOf('getFeeInfo');

/** Sends cheap unsigned requests; emits once all are answered, failures told to the log alone. */
export function warm(
  logger: Logger,
  pools: readonly {
    readonly http: HttpTransport;
    readonly path: string;
    readonly count: number;
  }[],
): Observable<void> {
  const requests = pools.flatMap(({ http, path, count }) =>
    Array.from({ length: count }, () => http.get(path)),
  );
  const quiet = requests.map((request) =>
    request.pipe(
      catchError((error: unknown) => {
        logger.warn({ reason: toFailure(error).message }, 'socket could not be opened beforehand');
        return EMPTY;
      }),
    ),
  );
  return merge(...quiet).pipe(ignoreElements(), endWith(undefined));
}
