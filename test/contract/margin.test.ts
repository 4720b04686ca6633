import { describe, expect, it } from 'vitest';
import type { Amount, Price, Side } from '../../src/domain/index.ts';
import { CODES, type PlaceRequest } from '../../src/exchange/index.ts';
import { answerOf, failureOf } from '../sim/fixture.ts';
import { opener, type Subject, WAYS } from './subjects.ts';

const PERMISSIONS = { assets: true, orders: true, withdrawals: true, margin: true };

/** Accounts with money in their margin wallets and none in the spot wallet of `main`. */
const LENDING = {
  accounts: ['main', 'other'].map((name) => ({
    name,
    balances: {},
    marginBalances: { isolated: { usdt: '1000' }, cross: { usdt: '1000' } },
    permissions: PERMISSIONS,
  })),
  fees: { maker: 0, taker: 0 },
};

function order(changes: Partial<PlaceRequest> & { side?: Side } = {}): PlaceRequest {
  return {
    ...{ market: 'btc_usdt', side: 'buy', type: 'limit', accountType: 2 },
    ...{ price: 20_000 as Price, amount: 0.1 as Amount },
    ...changes,
  };
}

const dear = 30_000 as Price;

function loanOf({ main }: Subject, currency: string): string {
  const { assets } = answerOf(main.margin.crossAccount());
  return String(assets.find((asset) => asset.currency === currency)?.loan ?? 0);
}

for (const way of WAYS) {
  describe(`margin, ${way}`, () => {
    const open = opener(way);

    it.each([1, 2] as const)('refuses an order of account %i that it cannot pay', (accountType) => {
      const { main } = open(LENDING);
      const failure = failureOf(main.trading.place(order({ accountType })));
      expect(failure).toMatchObject({ kind: 'rejected', code: CODES.balance });
    });

    it.each([1, 2] as const)('borrows for an order of account %i what it lacks', (accountType) => {
      const subject = open(LENDING);
      subject.liquidity.replace({ bids: [[20_000, 1]], asks: [[20_000, 1]] });
      const { exchangeOrderId } = answerOf(
        subject.main.trading.place(order({ accountType, borrow: true })),
      );
      const reference = { market: 'btc_usdt', exchangeOrderId };
      const placed = answerOf(subject.main.trading.order(reference));
      expect(placed).toMatchObject({ closed: true, filledAmount: 0.1 });
      if (accountType === 2) expect(loanOf(subject, 'usdt')).toBe('1000');
    });

    it('lends no more than the leverage allows', () => {
      const { main } = open(LENDING);
      const request = order({ amount: 1 as Amount, borrow: true });
      expect(failureOf(main.trading.place(request))).toMatchObject({ kind: 'rejected' });
    });

    it('repays from proceeds where the order says so', () => {
      const subject = open(LENDING);
      subject.liquidity.replace({ bids: [[20_000, 1]], asks: [[20_000, 1]] });
      answerOf(subject.main.trading.place(order({ borrow: true })));
      answerOf(subject.main.trading.place(order({ side: 'sell', repay: true })));
      expect(loanOf(subject, 'usdt')).toBe('0');
    });

    it('borrows and repays without being told while the switches are on', () => {
      const subject = open(LENDING);
      subject.liquidity.replace({ bids: [[20_000, 1]], asks: [[20_000, 1]] });
      answerOf(subject.main.margin.setAutoBorrow(true));
      answerOf(subject.main.trading.place(order()));
      expect(loanOf(subject, 'usdt')).toBe('1000');
      answerOf(subject.main.margin.setAutoRepay(true));
      answerOf(subject.main.trading.place(order({ side: 'sell' })));
      expect(loanOf(subject, 'usdt')).toBe('0');
      answerOf(subject.main.margin.setAutoBorrow(false));
      expect(failureOf(subject.main.trading.place(order()))).toMatchObject({ code: CODES.balance });
    });

    it('values the cross account, its loans taken off', () => {
      const subject = open(LENDING);
      subject.liquidity.replace({ bids: [[20_000, 1]], asks: [[20_000, 1]] });
      answerOf(subject.main.trading.place(order({ borrow: true })));
      const account = answerOf(subject.main.margin.crossAccount());
      expect([`${account.total}`, `${account.loan}`, `${account.net}`]).toEqual([
        '2000',
        '1000',
        '1000',
      ]);
      expect(account.riskRate).toBe(2);
      const btc = account.assets.find(({ currency }) => currency === 'btc');
      expect(`${btc?.available}`).toBe('0.1');
    });

    it('tells of each market what the isolated account holds and owes', () => {
      const subject = open(LENDING);
      subject.liquidity.replace({ bids: [[20_000, 1]], asks: [[20_000, 1]] });
      answerOf(subject.main.trading.place(order({ accountType: 1, borrow: true })));
      answerOf(subject.main.trading.place(order({ accountType: 1, side: 'sell', price: dear })));
      const [btc, eth] = answerOf(subject.main.margin.isolatedAccount());
      expect([btc!.market, eth!.market]).toEqual(['btc_usdt', 'eth_usdt']);
      expect([`${btc!.total}`, `${btc!.loan}`, `${btc!.net}`, btc!.riskRate]).toEqual([
        ...['2000', '1000', '1000', 2],
      ]);
      const { base, quote } = btc!;
      expect([`${base.available}`, `${base.frozen}`, `${base.loan}`]).toEqual(['0', '0.1', '0']);
      expect([`${quote.available}`, `${quote.loan}`]).toEqual(['0', '1000']);
      // One wallet for all markets: what btc_usdt owes, eth_usdt shows too.
      expect([eth!.base.currency, `${eth!.quote.loan}`]).toEqual(['eth', '1000']);
    });

    it('leaves the spot account alone', () => {
      const subject = open(LENDING);
      answerOf(subject.main.trading.place(order({ borrow: true })));
      const { balances } = answerOf(subject.main.account.account());
      for (const { available, frozen } of balances)
        expect([`${available}`, `${frozen}`]).toEqual(['0', '0']);
    });

    it('refuses who may not trade on margin', () => {
      const [main, other] = LENDING.accounts;
      const permissions = { ...PERMISSIONS, margin: false };
      const subject = open({ ...LENDING, accounts: [{ ...main!, permissions }, other!] });
      const expected = { kind: 'rejected', code: CODES.noPermission };
      expect(failureOf(subject.main.margin.crossAccount())).toMatchObject(expected);
      expect(failureOf(subject.main.trading.place(order()))).toMatchObject(expected);
    });
  });
}
