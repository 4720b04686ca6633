import { catchError, type Observable, of, throwError } from 'rxjs';
import { ExchangeFailure } from '../../../../exchange/index.ts';

/** A list without entries is told as a failure with one of these codes: it becomes `empty`. */
export function emptyAs<E>(
  empty: E,
  codes: readonly number[],
): <T>(answers: Observable<T>) => Observable<T | E> {
  return catchError((error: unknown) => {
    const code = error instanceof ExchangeFailure ? error.code : undefined;
    return code !== undefined && codes.includes(code) ? of(empty) : throwError(() => error);
  });
}
