import { type MonoTypeOperatorFunction, throwError, timeout } from 'rxjs';
import { ExchangeFailure } from '../exchange/index.ts';
import { type Clock, formatDuration } from '../kernel/index.ts';

/** Fails as `unknown` if nothing has come in time, in the words that a client uses for that. */
export function answeredWithin<T>(timeoutMs: number, clock: Clock): MonoTypeOperatorFunction<T> {
  const reason = `no answer within ${formatDuration(timeoutMs)}`;
  const silence = () => new ExchangeFailure('unknown', `Cannot tell the outcome: ${reason}`);
  return timeout({ first: timeoutMs, scheduler: clock, with: () => throwError(silence) });
}
