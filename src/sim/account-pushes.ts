import type { Balance } from '../domain/index.ts';
import type { AccountPush, BalancePush, OrderPush } from '../exchange/index.ts';
import { getOrInsert, Topic } from '../kernel/index.ts';
import type { Accounts } from './accounts.ts';

export class AccountPushes {
  /** Balances of the spot wallet. */
  readonly balances = new Topic<BalancePush>();
  /** Balances of the cross-margin wallet. */
  readonly crossBalances = new Topic<BalancePush>();
  /** Orders and balances of the spot wallet together. */
  readonly changes = new Topic<AccountPush>();
  readonly #orders = new Map<string, Topic<OrderPush>>();

  orders(market: string): Topic<OrderPush> {
    return getOrInsert(this.#orders, market, () => new Topic());
  }
}

/** The balance of one currency in one row. */
export function balanceOf(
  accounts: Accounts,
  { row, currency }: { row: number; currency: number },
): Balance {
  const { currencies } = accounts;
  const name = currencies.names[currency]!;
  return {
    currency: name,
    available: currencies.money(name, accounts.available(row, currency)),
    frozen: currencies.money(name, accounts.frozen(row, currency)),
  };
}
