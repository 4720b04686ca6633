import type { Bill, Withdrawal } from '../../../src/domain/index.ts';
import type { FullExchange, WithdrawRequest } from '../../../src/exchange/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import type { SimulatedExchangeOptions } from '../../../src/sim/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { answerOf, exchangeFixture, MARKET } from '../fixture.ts';

export const PASSWORD = 'open sesame';

type AccountOptions = SimulatedExchangeOptions['accounts'][number];

/** An account that may withdraw, with money of a chain, of several and of one with memos. */
export function accountFixture(overrides: Partial<AccountOptions> = {}): AccountOptions {
  return {
    name: 'alice',
    balances: { usdt: '1000000', btc: '100', xrp: '5000' },
    permissions: { withdrawals: true },
    fundsPassword: PASSWORD,
    ...overrides,
  };
}

/** Alice and Bob, who may withdraw, on a market of bitcoins without fees, unless told otherwise. */
export function fundsFixture({
  alice = {},
  bob = {},
  ...overrides
}: Partial<Omit<SimulatedExchangeOptions, 'accounts'>> & {
  alice?: Partial<AccountOptions>;
  bob?: Partial<AccountOptions>;
} = {}) {
  const accounts = [accountFixture(alice), accountFixture({ name: 'bob', ...bob })];
  const markets = [MARKET, makeMarket({ id: 'xrp_usdt', base: 'xrp' })];
  return exchangeFixture({ markets, accounts, ...overrides });
}

/** The same, Bob's deposit address of a currency being a verified one of Alice. */
export function trustingFixture(currency: string) {
  const [place] = answerOf(fundsFixture().bob.funds.depositAddresses(currency));
  const { address, memo } = place!;
  const verified = { address, ...(memo !== undefined && { memo }) };
  return fundsFixture({ alice: { withdrawalAddresses: { [currency]: [verified] } } });
}

/** A withdrawal of 1 btc to the account's verified address, unless told otherwise. */
export function withdrawalFixture(
  account: FullExchange,
  overrides: Partial<Omit<WithdrawRequest, 'amount' | 'fee'>> & {
    amount?: string;
    fee?: string;
  } = {},
): WithdrawRequest {
  const { amount = '1', fee = '0.0005', currency = 'btc', ...rest } = overrides;
  return {
    currency,
    amount: Decimal.of(amount),
    fee: Decimal.of(fee),
    address: rest.address ?? answerOf(account.funds.withdrawalAddress(currency)),
    password: PASSWORD,
    ...rest,
  };
}

/** Withdraws: the id. */
export function withdraw(
  account: FullExchange,
  overrides: Parameters<typeof withdrawalFixture>[1] = {},
): string {
  return answerOf(account.funds.withdraw(withdrawalFixture(account, overrides))).withdrawalId;
}

export function withdrawalsOf(account: FullExchange, currency = 'btc'): readonly Withdrawal[] {
  return answerOf(account.funds.withdrawals({ currency, pageSize: 100 })).items;
}

/** All bills of the last 48 hours as texts, oldest first: type, change, currency, balance. */
export function billsOf(account: FullExchange, currency?: string): string[] {
  const bills: Bill[] = [];
  for (let page = 1; ; page++) {
    const query = { ...(currency && { currency }), page, pageSize: 50 };
    const found = answerOf(account.funds.bills(query));
    bills.push(...found);
    if (found.length < 50) break;
  }
  return bills
    .reverse()
    .map(({ type, change, currency: name, balance }) => `${type} ${change} ${name}: ${balance}`);
}
