import { type MonoTypeOperatorFunction, retry, throwError, timer } from 'rxjs';
import { type Clock, type Logger, SECOND_MS, withoutAction } from '../kernel/index.ts';
import { ExchangeFailure } from './failure.ts';

/** How often a question is put again. */
const RETRIES = 2;

/**
 * Puts a question again, a second later and twice at most, where its answer was lost or cannot be
 * read. For questions alone: nothing else may be sent twice. What was refused or not sent fails at
 * once.
 *
 * `what` is read, in words, such as "the account": the log tells each failure but the last.
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
