import { TradewindError } from '../kernel/index.ts';

/**
 * How a call can fail, by what is known of its outcome:
 * `rejected` the exchange said no; `limited` it refused for our pace, nothing happened;
 * `unknown` the request may have taken effect; `unsent` it never left this process.
 */
export type FailureKind = 'rejected' | 'limited' | 'unknown' | 'unsent';

/** Codes of the exchange that callers act on. Source: wire facts, table of codes. */
export const CODES = {
  success: 1000,
  general: 1001,
  internal: 1002,
  unverified: 1003,
  maintenance: 1009,
  noPermission: 1012,
  balance: 2009,
  orderNotFound: 3001,
  invalidPrice: 3002,
  invalidAmount: 3003,
  invalidArguments: 3005,
  foreignAddress: 3006,
  requestExpired: 3007,
  duplicateClientOrderId: 3012,
  locked: 4001,
  tooFrequent: 4002,
} as const;

/** The one error of every exchange port. */
export class ExchangeFailure extends TradewindError {
  override readonly name = 'ExchangeFailure';
  readonly kind: FailureKind;
  /** The exchange's code, where it answered with one. */
  readonly code: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    options: { code?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.code = options.code;
  }
}

/**
 * Any thrown value as an ExchangeFailure. Values of another type become failures of kind `unknown`.
 */
export function toFailure(thrown: unknown): ExchangeFailure {
  if (thrown instanceof ExchangeFailure) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new ExchangeFailure('unknown', `Cannot tell the outcome: ${text}`, { cause: thrown });
}
