import { CODES, ExchangeFailure } from '../exchange/index.ts';
import type { Clock } from '../kernel/index.ts';
import { AppError, asAppError } from './errors.ts';
import type { ExitReason } from './exit-codes.ts';
import { keyAdvice } from './key-advice.ts';
import type { Venue } from './venue/venue.ts';

/** Why the venue cannot be traded on, and what to do about it; any other error as it is. */
export function startError(thrown: unknown, { description }: Venue, advice?: string): unknown {
  if (!(thrown instanceof ExchangeFailure)) return asAppError(thrown);
  const what = `Cannot start on ${description}: ${thrown.message}`;
  const text = advice === undefined ? what : `${what}; ${advice}`;
  return new AppError(reasonOf(thrown), text, { cause: thrown });
}

/**
 * The same for signed requests: they bear the key and this machine's date, either of which may be
 * wrong.
 */
export function signedStartError(
  thrown: unknown,
  { venue, clock }: { readonly venue: Venue; readonly clock: Clock },
): unknown {
  if (!(thrown instanceof ExchangeFailure)) return asAppError(thrown);
  const advice = keyAdvice(thrown, venue.keyVariables) ?? dateAdvice(thrown, clock);
  return startError(thrown, venue, advice);
}

/** A person sets what a key may do: another start would find the same, however often. */
function reasonOf({ code }: ExchangeFailure): ExitReason {
  return code === CODES.noPermission ? 'configuration' : 'exchange';
}

/** Tells the date that requests were stamped with, if the exchange does not take it. */
function dateAdvice({ code }: ExchangeFailure, clock: Clock): string | undefined {
  if (code !== CODES.requestExpired) return undefined;
  return (
    `by this machine it is ${new Date(clock.now()).toISOString()}, a date that is right to a few ` +
    'minutes is wanted (NTP keeps it), or venue.timeOffsetMs'
  );
}
