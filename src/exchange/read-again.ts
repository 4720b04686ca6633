import { type MonoTypeOperatorFunction, retry, throwError, timer } from 'rxjs';
import { type Clock, type Logger, SECOND_MS, withoutAction } from '../kernel/index.ts';
import { ExchangeFailure } from './failure.ts';

/** How many times a read is retried. */
const RETRIES = 2;

/**
 * Retries a read up to twice, a second apart, when its answer was lost or could not be parsed. For
 * reads only: no other request may be sent twice. A refused or unsent read fails at once.
 *
 * `what` names the thing read, such as "the account". Each failure but the last is logged.
 */
export function readAgain<T>({
  clock,
  logger,
  what,
}: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly what: string;
}): MonoTypeOperatorFunction<T> {
  return retry({
    count: RETRIES,
    delay: (thrown: unknown) => {
      const isLost = thrown instanceof ExchangeFailure && thrown.kind === 'unknown';
      if (!isLost) return throwError(() => thrown);
      const reason = withoutAction(thrown.message);
      logger.warn({ what }, `${what} could not be read, it is tried again: ${reason}`);
      return timer(SECOND_MS, clock);
    },
  });
}
