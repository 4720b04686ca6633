import { CODES, ExchangeFailure } from '../exchange/index.ts';

/** The exchange's answer to a PostOnly order that would take. Its code is not in the wire facts. */
export const POST_ONLY_REJECTION = {
  code: CODES.general,
  message: 'Cannot place an order: the PostOnly order would take, a price that rests is wanted',
} as const;

/** The exchange's answer to a market that it does not have. Source: wire facts, code 1001. */
export function unknownMarket(): ExchangeFailure {
  return rejection(CODES.general, 'Error Market');
}

export function rejection(code: number, message: string): ExchangeFailure {
  return new ExchangeFailure('rejected', message, { code });
}

/** The exchange's answer to a request that the account may not make. */
export function notPermitted(action: string): ExchangeFailure {
  return rejection(CODES.noPermission, `Cannot ${action}: the account has no permission to`);
}

export function orderNotFound(id: string): ExchangeFailure {
  return rejection(CODES.orderNotFound, `Cannot find the order ${id}: there is none such`);
}

/** The exchange's answer to a request whose arguments are wrong. */
export function invalidArguments(message: string): ExchangeFailure {
  return rejection(CODES.invalidArguments, message);
}

/** Refuses a withdrawal. */
export function notWithdrawn(code: number, why: string): ExchangeFailure {
  return rejection(code, `Cannot withdraw: ${why}`);
}
