import { firstValueFrom, map, type Observable, race, retry, throwError, timer } from 'rxjs';
import { CODES, ExchangeFailure, toFailure } from '../../exchange/index.ts';
import { type Clock, SECOND_MS } from '../../kernel/index.ts';
import { AppError, withHint } from '../errors.ts';
import type { ExitReason } from '../exit-codes.ts';
import { keyAdvice } from '../key-advice.ts';
import type { ConnectedVenue } from './connected-venue.ts';

/** Codes by which the exchange turns away the key, or everybody, rather than this request. */
const TURNED_AWAY: ReadonlySet<number | undefined> = new Set<number>([
  CODES.unverified,
  CODES.maintenance,
  CODES.noPermission,
  CODES.foreignAddress,
  CODES.requestExpired,
]);

/** Whether the exchange refused this request, and would hear another one. */
export function isRefusal({ kind, code }: ExchangeFailure): boolean {
  return kind === 'rejected' && !TURNED_AWAY.has(code);
}

/** The venue and the keys that an error names. */
type Where = Pick<ConnectedVenue, 'host'> & Partial<Pick<ConnectedVenue, 'keyPlaces'>>;

/** How often a request is repeated that came too soon after another. */
const LIMITED_RETRIES = 3;

/**
 * The answer of a request that changes nothing: if it is lost, one may simply ask again. A request
 * that came too soon after another is repeated a second later, as candles are told once a second.
 *
 * @throws {AppError} `refused` or `exchange`, with the venue's host.
 */
export async function read<T>(
  { clock, ...where }: Where & { readonly clock: Clock },
  answer: Observable<T>,
): Promise<T> {
  const later = (thrown: unknown) =>
    toFailure(thrown).kind === 'limited' ? timer(SECOND_MS, clock) : throwError(() => thrown);
  try {
    return await firstValueFrom(answer.pipe(retry({ count: LIMITED_RETRIES, delay: later })));
  } catch (thrown) {
    throw nothingDone(where, toFailure(thrown));
  }
}

/** The error of a request that changed nothing. */
export function nothingDone(where: Where, failure: ExchangeFailure): AppError {
  return failed(isRefusal(failure) ? 'refused' : 'exchange', { ...where, failure });
}

/**
 * The answer of a request that changes something; it is sent once. If the wait is interrupted, the
 * request may have taken effect, since it is on its way.
 *
 * @throws {AppError} `unknown` when it may have taken effect: `lookUp` then tells how to find out.
 * `refused` or `exchange` when it certainly has not.
 */
export async function change<T>(
  { interruption, ...where }: Where & Pick<ConnectedVenue, 'interruption'>,
  { lookUp, answer }: { readonly lookUp: string; readonly answer: Observable<T> },
): Promise<T> {
  const interrupted = interruption.pipe(
    map((name): never => {
      const what = `Cannot wait for the answer: ${name} asked for an end`;
      throw new ExchangeFailure('unknown', what);
    }),
  );
  try {
    return await firstValueFrom(race(answer, interrupted));
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind === 'unknown')
      throw failed('unknown', { ...where, failure, advice: `\n${lookUp}` });
    throw nothingDone(where, failure);
  }
}

/** Whether an error leaves open what happened. */
export function isUnknown(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.reason === 'unknown';
}

function failed(
  reason: ExitReason,
  what: Where & { readonly failure: ExchangeFailure; readonly advice?: string },
): AppError {
  const { host, failure, advice } = what;
  const message = `${host}: ${failure.message}`;
  const told = advice === undefined ? hinted(message, what) : message + advice;
  return new AppError(reason, told, { cause: failure });
}

function hinted(
  message: string,
  { failure, keyPlaces }: Where & { readonly failure: ExchangeFailure },
): string {
  const lacks = 'the key lacks the permission that this needs';
  const hint = failure.code === CODES.noPermission ? lacks : keyAdvice(failure, keyPlaces);
  return hint === undefined ? withHint(message) : `${message}\n${hint}`;
}
