import { CODES, ExchangeFailure } from '../../../exchange/index.ts';
import { TradewindError } from '../../../kernel/index.ts';
import { SUCCESS_MESSAGE } from '../wire/acknowledged.ts';
import type { Dialect } from './dialect.ts';

/**
 * An answer over HTTP. The status is 200 for errors too (wire facts, Authentication and errors).
 */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** Default: that of JSON. */
  readonly contentType?: string;
}

/** The server could not be set up or opened. */
export class ServerError extends TradewindError {
  override readonly name = 'ServerError';
}

/**
 * The text of a time-out: the order may or may not exist. Source: wire facts, overloaded servers.
 */
const TIMED_OUT_MESSAGE = '响应超时';

/** Code and text of a refusal as the wire carries them. */
export interface WireRefusal {
  readonly code: number;
  readonly message: string;
}

/** Ends a request with a code of the exchange. @throws {ExchangeFailure} always. */
export function refuse(code: number, message: string): never {
  throw new ExchangeFailure('rejected', message, { code });
}

/**
 * The refusal that the wire carries for a failure of the host.
 *
 * What certainly did not happen keeps its code (1009 if the host could not be reached at all); what
 * may have happened is reported as a time-out, as the real servers do.
 */
export function refusalOf(thrown: unknown): WireRefusal {
  if (!(thrown instanceof ExchangeFailure)) {
    return { code: CODES.internal, message: 'Internal error' };
  }
  switch (thrown.kind) {
    case 'rejected':
      return { code: thrown.code ?? CODES.general, message: thrown.message };
    case 'limited':
      return { code: thrown.code ?? CODES.tooFrequent, message: thrown.message };
    case 'unsent':
      return { code: CODES.maintenance, message: thrown.message };
    case 'unknown':
      return { code: CODES.general, message: TIMED_OUT_MESSAGE };
    default:
      return thrown.kind satisfies never;
  }
}

/**
 * Whether a failure is a defect of the program, to be logged, and not an answer of the exchange.
 */
export function isDefect(thrown: unknown): boolean {
  return !(thrown instanceof ExchangeFailure);
}

/** The envelope of a refusal. */
export function refusalBody(refusal: WireRefusal, dialect: Dialect): string {
  return `{"code":${dialect.code(refusal.code)},"message":${JSON.stringify(refusal.message)}}`;
}

/** The envelope of success, with further fields as JSON text such as `"id":"1"`. */
export function successBody(dialect: Dialect, fields?: string): string {
  const rest = fields === undefined ? '' : `,${fields}`;
  return `{"code":${dialect.code(CODES.success)},"message":"${SUCCESS_MESSAGE}"${rest}}`;
}

/**
 * Success whose message is an object around the data. Source: contract, Errors 1 and cancelOrder.
 */
export function nestedSuccessBody(dialect: Dialect, datas: string): string {
  const message = `{"des":"${SUCCESS_MESSAGE}","isSuc":true,"datas":${datas}}`;
  return `{"code":${dialect.code(CODES.success)},"message":${message}}`;
}

/**
 * An object as the answer itself. The contract wants `code` and `message` in every signed answer,
 * so they come before its fields; recordings show such objects without them.
 */
export function enveloped(object: string, dialect: Dialect): string {
  if (dialect.name === 'recorded') return object;
  return `${successBody(dialect).slice(0, -1)},${object.slice(1)}`;
}
