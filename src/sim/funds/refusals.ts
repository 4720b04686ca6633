import { CODES, type ExchangeFailure } from '../../exchange/index.ts';
import { rejection } from '../order-checks.ts';

/** Source: wire facts, table of codes. */
const PASSWORD_LOCKED = 1004;
const PASSWORD_WRONG = 1005;

/** The exchange's answer to a currency that it does not have. */
export function unknownCurrency(name: string): ExchangeFailure {
  return rejection(
    CODES.invalidArguments,
    `Cannot use the currency ${name}: the exchange has none such`,
  );
}

/** The exchange's answer where a deposit address was never created. Its code is not stated. */
export function noDepositAddress(currency: string): ExchangeFailure {
  return rejection(
    CODES.general,
    `Cannot show the deposit address of ${currency}: it has to be created first`,
  );
}

export function passwordWrong(): ExchangeFailure {
  return rejection(PASSWORD_WRONG, 'Cannot withdraw: the funds password is wrong');
}

export function passwordLocked(): ExchangeFailure {
  return rejection(PASSWORD_LOCKED, 'Cannot withdraw: the funds password is locked');
}

/** Refuses a withdrawal. */
export function notWithdrawn(code: number, why: string): ExchangeFailure {
  return rejection(code, `Cannot withdraw: ${why}`);
}
