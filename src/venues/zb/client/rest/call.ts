import { defer, map, type Observable } from 'rxjs';
import { ExchangeFailure } from '../../../../exchange/index.ts';
import { messageOf } from '../../../../kernel/index.ts';
import { readAnswer } from '../../wire/index.ts';
import type { HttpTransport } from '../network/transport.ts';

/** One request and how its answer is read. */
export interface Call<T> {
  /** The action for messages; completes "Cannot ...": `place an order`. */
  readonly action: string;
  /** Path and query, made when the request leaves. */
  readonly target: () => string;
  /** @throws {WireError} when the answer cannot be read. */
  readonly read: (json: unknown) => T;
}

/** Sends the request when subscribed to; fails only with an ExchangeFailure. */
export function send<T>(http: HttpTransport, call: Call<T>): Observable<T> {
  return defer(() => http.get(prepared(call.target))).pipe(
    map((answer) => readAnswer(answer, call)),
  );
}

/** Makes a target; if that fails, the request is `unsent`. */
export function prepared(target: () => string): string {
  try {
    return target();
  } catch (error) {
    throw new ExchangeFailure('unsent', messageOf(error), { cause: error });
  }
}
