import { catchError, EMPTY, endWith, ignoreElements, merge, type Observable, tap } from 'rxjs';
import { toFailure } from '../../../../exchange/index.ts';
import type { Logger } from '../../../../kernel/index.ts';
import { pathOf } from '../../wire/index.ts';
import type { HttpTransport } from './transport.ts';

/** A path that is answered without signature and parameters. Source: wire facts, REST answers. */
export const UNSIGNED_PATH = pathOf('getFeeInfo');

/**
 * Sends cheap unsigned requests; emits once all are answered. How many failed, and why the last one
 * did, is only logged.
 */
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
  const failed: string[] = [];
  const quiet = requests.map((request) =>
    request.pipe(
      catchError((error: unknown) => {
        failed.push(toFailure(error).message);
        return EMPTY;
      }),
    ),
  );
  const tell = (): void => {
    if (failed.length === 0) return;
    const what = `${failed.length} of ${requests.length} sockets could not be opened beforehand`;
    logger.warn({ reason: failed.at(-1) }, what);
  };
  return merge(...quiet).pipe(ignoreElements(), endWith(undefined), tap({ complete: tell }));
}
