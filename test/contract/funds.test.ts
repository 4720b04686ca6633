import { describe, expect, it } from 'vitest';
import { CODES, type FullExchange } from '../../src/exchange/index.ts';
import { Decimal, HOUR_MS } from '../../src/kernel/index.ts';
import { answerOf, failureOf } from '../sim/fixture.ts';
import { accountsFixture, BTC_USDT, opener, type Subject, WAYS } from './subjects.ts';

const PASSWORD = 'funds-password';
/** Longer than every deposit and withdrawal takes. */
const LONG_MS = 6 * HOUR_MS;

function availableOf({ main }: Subject, currency: string): string {
  const { balances } = answerOf(main.account.account());
  return String(balances.find((balance) => balance.currency === currency)?.available);
}

/** What a withdrawal of that amount to the verified address of btc asks for. */
function withdrawal({ funds }: FullExchange, amount: string) {
  const [fee] = answerOf(funds.withdrawalFees('btc')).get('btc')!;
  return {
    ...{ currency: 'btc', amount: Decimal.of(amount), fee: fee!.fee, password: PASSWORD },
    address: answerOf(funds.withdrawalAddress('btc')),
  };
}

for (const way of WAYS) {
  describe(`funds, ${way}`, () => {
    const open = opener(way);

    it('name one deposit address of a currency, and those of all its chains', () => {
      const { main, other } = open();
      expect(answerOf(main.funds.depositAddress('btc'))).toMatch(/\S{10,}/);
      expect(answerOf(main.funds.depositAddress('btc'))).not.toBe(
        answerOf(other.funds.depositAddress('btc')),
      );
      const chains = answerOf(main.funds.depositAddresses('usdt'));
      expect(chains.length).toBeGreaterThan(1);
      for (const { chain, address, canDeposit } of chains) {
        expect([typeof chain, canDeposit]).toEqual(['string', true]);
        expect(address).toMatch(/\S{10,}/);
      }
    });

    it('give an account and a memo where the chain knows memos', () => {
      const xrp = { id: 'xrp_usdt', base: 'xrp', quote: 'usdt', priceScale: 4, amountScale: 2 };
      const { main } = open({ markets: [BTC_USDT, { ...xrp, minAmount: 1, minSize: 1 }] });
      const [chain] = answerOf(main.funds.depositAddresses('xrp'));
      expect(chain?.memo).toMatch(/\S+/);
      expect(chain?.address).toMatch(/\S+/);
    });

    it('refuse the deposit address of a currency that has none', () => {
      const { main } = open();
      expect(failureOf(main.funds.depositAddress('nothing'))).toMatchObject({ kind: 'rejected' });
    });

    it('count the confirmations of a deposit, then credit it', () => {
      const subject = open();
      subject.sim.creditDeposit('main', { currency: 'btc', amount: '1.25' });
      const deposit = () => answerOf(subject.main.funds.deposits({ currency: 'btc' })).items[0]!;
      expect(deposit()).toMatchObject({ currency: 'btc', status: 'waiting', internal: false });
      expect(availableOf(subject, 'btc')).toBe('100');
      subject.pass(LONG_MS);
      expect(deposit()).toMatchObject({ status: 'succeeded' });
      expect(deposit().amount.toString()).toBe('1.25');
      expect(deposit().confirmations).toBeGreaterThan(0);
      expect(availableOf(subject, 'btc')).toBe('101.25');
    });

    it('page deposits, newest first', () => {
      const subject = open();
      for (let at = 1; at <= 12; at++) {
        subject.sim.creditDeposit('main', { currency: 'btc', amount: String(at) });
        subject.pass(1_000);
      }
      const page = (number: number) =>
        answerOf(subject.main.funds.deposits({ currency: 'btc', page: number, pageSize: 10 }));
      expect(page(1)).toMatchObject({ page: 1, pageSize: 10, totalCount: 12 });
      const amounts = [...page(1).items, ...page(2).items].map(({ amount }) => Number(`${amount}`));
      expect(amounts).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    });

    it('tell what a withdrawal costs, of one currency or of all', () => {
      const { main } = open();
      const one = answerOf(main.funds.withdrawalFees('btc'));
      expect([...one.keys()]).toEqual(['btc']);
      expect(one.get('btc')![0]).toMatchObject({ canDeposit: true, canWithdraw: true });
      const all = answerOf(main.funds.withdrawalFees());
      expect([...all.keys()]).toEqual(expect.arrayContaining(['btc', 'eth', 'usdt']));
      expect(all.get('btc')).toEqual(one.get('btc'));
    });

    it('move a withdrawal through its states and take amount and fee', () => {
      const subject = open();
      const request = withdrawal(subject.main, '1');
      const { withdrawalId } = answerOf(subject.main.funds.withdraw(request));
      const state = () => answerOf(subject.main.funds.withdrawals({ currency: 'btc' })).items[0]!;
      expect(state()).toMatchObject({ id: withdrawalId, status: 'submitted', hash: '' });
      expect(state().address).toBe(request.address);
      const rest = Decimal.of('99').minus(request.fee).toString();
      expect(availableOf(subject, 'btc')).toBe(rest);
      subject.pass(LONG_MS);
      expect(state()).toMatchObject({ status: 'succeeded', hash: expect.stringMatching(/\S+/) });
      expect([`${state().amount}`, `${state().fee}`]).toEqual(['1', `${request.fee}`]);
      expect(availableOf(subject, 'btc')).toBe(rest);
    });

    it('refuse a withdrawal to an unverified address, of too much, or with a wrong password', () => {
      const subject = open();
      const request = withdrawal(subject.main, '1');
      const refused = (changes: object) =>
        failureOf(subject.main.funds.withdraw({ ...request, ...changes }));
      expect(refused({ address: 'elsewhere' })).toMatchObject({ kind: 'rejected' });
      expect(refused({ amount: Decimal.of('1000') })).toMatchObject({
        kind: 'rejected',
        code: 2009,
      });
      expect(refused({ password: 'guess' })).toMatchObject({ kind: 'rejected', code: 1005 });
      expect(availableOf(subject, 'btc')).toBe('100');
    });

    it('lock withdrawals after several wrong passwords', () => {
      const { main } = open({ funds: { passwordAttempts: 2 } });
      const request = withdrawal(main, '1');
      for (let at = 0; at < 2; at++) failureOf(main.funds.withdraw({ ...request, password: 'x' }));
      expect(failureOf(main.funds.withdraw(request))).toMatchObject({
        kind: 'rejected',
        code: 1004,
      });
    });

    it('transfer within the exchange at once and without a fee where that is allowed', () => {
      const address = answerOf(open().other.funds.depositAddress('btc'));
      const withdrawalAddresses = { btc: [{ address }] };
      const subject = open({ accounts: accountsFixture({ withdrawalAddresses }) });
      const request = { ...withdrawal(subject.main, '2'), fee: Decimal.ZERO };
      expect(request.address).toBe(address);
      expect(failureOf(subject.main.funds.withdraw(request))).toMatchObject({ kind: 'rejected' });
      answerOf(subject.main.funds.withdraw({ ...request, internal: true }));
      expect(availableOf(subject, 'btc')).toBe('98');
      const [deposit] = answerOf(subject.other.funds.deposits({ currency: 'btc' })).items;
      expect(deposit).toMatchObject({ internal: true, status: 'succeeded' });
      expect(deposit!.amount.toString()).toBe('2');
    });

    it('transfer within the exchange to no address that is not verified', () => {
      const subject = open();
      const address = answerOf(subject.other.funds.depositAddress('btc'));
      const request = { ...withdrawal(subject.main, '2'), address, internal: true };
      const refused = { kind: 'rejected', code: CODES.invalidArguments };
      for (const fee of [request.fee, Decimal.ZERO]) {
        const call = subject.main.funds.withdraw({ ...request, fee });
        expect(failureOf(call)).toMatchObject(refused);
      }
      expect(availableOf(subject, 'btc')).toBe('100');
    });

    it('write a bill for every change of the spot account, newest first', () => {
      const subject = open();
      subject.sim.creditDeposit('main', { currency: 'btc', amount: '1' });
      subject.pass(LONG_MS);
      answerOf(subject.main.funds.withdraw(withdrawal(subject.main, '2')));
      subject.pass(LONG_MS);
      const bills = answerOf(subject.main.funds.bills({ currency: 'btc' }));
      const changes = bills.map(({ change }) => Number(`${change}`));
      expect(changes).toContain(1);
      expect(changes).toContain(-2);
      const times = bills.map(({ time }) => time);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      for (const bill of bills) expect(bill).toMatchObject({ currency: 'btc' });
      expect(bills[0]!.balance.toString()).toBe(availableOf(subject, 'btc'));
    });

    it('tell bills older than 48 hours apart from the younger ones', () => {
      const subject = open();
      subject.sim.creditDeposit('main', { currency: 'btc', amount: '1' });
      subject.pass(50 * HOUR_MS);
      subject.sim.creditDeposit('main', { currency: 'btc', amount: '2' });
      subject.pass(LONG_MS);
      const changes = (older: boolean) =>
        answerOf(subject.main.funds.bills({ currency: 'btc', older })).map(
          ({ change }) => `${change}`,
        );
      expect(changes(false)).toEqual(['2']);
      expect(changes(true)).toContain('1');
    });
  });
}
