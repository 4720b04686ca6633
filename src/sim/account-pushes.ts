import { Subject } from 'rxjs';
import type { Balance } from '../domain/index.ts';
import type { AccountPush, BalancePush, OrderPush } from '../exchange/index.ts';
import type { Accounts } from './accounts.ts';

/** The pushes of one account. */
export class AccountPushes {
  /** Of the spot wallet. */
  readonly balances = new Subject<BalancePush>();
  /** Of the cross-margin wallet. */
  readonly crossBalances = new Subject<BalancePush>();
  /** Of orders and the spot wallet together. */
  readonly changes = new Subject<AccountPush>();
  readonly #orders = new Map<string, Subject<OrderPush>>();

  /** Pushes of the orders of one market. */
  orders(market: string): Subject<OrderPush> {
    let subject = this.#orders.get(market);
    if (subject === undefined) {
      subject = new Subject();
      this.#orders.set(market, subject);
    }
    return subject;
  }
}

/** One currency of one row of balances. */
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
