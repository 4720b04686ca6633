import { CODES, ExchangeFailure, type Permissions } from '../exchange/index.ts';
import type { Logger } from '../kernel/index.ts';

export interface KeyPolicy {
  /** Whether a key that may withdraw funds is accepted. A trading key should not be able to. */
  readonly allowWithdrawals: boolean;
  readonly logger: Logger;
}

/**
 * @throws {ExchangeFailure} when the key may not trade, or may withdraw and that is not allowed.
 */
export function requireTradingKey(
  { orders, withdrawals }: Permissions,
  { allowWithdrawals, logger }: KeyPolicy,
): void {
  if (!orders) {
    throw refused('it may not place orders, the permission entrust is wanted');
  }
  if (withdrawals && !allowWithdrawals) {
    throw refused(
      'it may withdraw funds, a key without that permission is wanted (or allowWithdrawals: true)',
    );
  }
  if (withdrawals) logger.warn({}, 'this key may withdraw funds: a trading key should not');
}

function refused(why: string): ExchangeFailure {
  const code = CODES.noPermission;
  return new ExchangeFailure('rejected', `Cannot trade with this key: ${why}`, { code });
}
