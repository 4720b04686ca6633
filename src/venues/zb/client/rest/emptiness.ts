import { catchError, type Observable, of, throwError } from 'rxjs';
import { ExchangeFailure } from '../../../../exchange/index.ts';

/** Turns a failure with one of these codes into `empty`: the exchange reports an empty list so. */
export function emptyAs<E>(
  empty: E,
  codes: readonly number[],
): <T>(answers: Observable<T>) => Observable<T | E> {
  return catchError((error: unknown) => {
    const code = error instanceof ExchangeFailure ? error.code : undefined;
    return code !== undefined && codes.includes(code) ? of(empty) : throwError(() => error);
  });
}
