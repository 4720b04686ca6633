import { describe, expect, it } from 'vitest';
import type { Amount, Price } from '../../src/domain/index.ts';
import type { PlaceRequest } from '../../src/exchange/index.ts';
import { answerOf } from '../sim/fixture.ts';
import { opener, type Subject, WAYS } from './subjects.ts';

const BID: PlaceRequest = {
  ...{ market: 'btc_usdt', side: 'buy', type: 'limit' },
  ...{ price: 30_000 as Price, amount: 1 as Amount },
};

function wallet({ main }: Subject): Record<string, readonly [string, string]> {
  const { balances } = answerOf(main.account.account());
  return Object.fromEntries(
    balances.map(({ currency, available, frozen }) => [
      currency,
      [available.toString(), frozen.toString()] as const,
    ]),
  );
}

for (const way of WAYS) {
  describe(`account, ${way}`, () => {
    const open = opener(way);

    it('tells balances, and what the key may do', () => {
      const subject = open();
      expect(wallet(subject)).toMatchObject({ usdt: ['1000000', '0'], btc: ['100', '0'] });
      const { permissions } = answerOf(subject.main.account.account());
      expect(permissions).toEqual({ assets: true, orders: true, withdrawals: true, margin: true });
    });

    it('tells of every currency its name, its decimals and whether it moves in and out', () => {
      const { main } = open({ currencies: { btc: { fullName: 'Play bitcoin', decimals: 6 } } });
      const { currencies } = answerOf(main.account.account());
      expect(currencies?.find(({ currency }) => currency === 'btc')).toEqual({
        ...{ currency: 'btc', fullName: 'Play bitcoin', decimals: 6 },
        ...{ canDeposit: true, canWithdraw: true, canLoan: false },
      });
    });

    it('freezes what an open order needs, and gives it back', () => {
      const subject = open();
      const { exchangeOrderId } = answerOf(subject.main.trading.place(BID));
      expect(wallet(subject).usdt).toEqual(['970000', '30000']);
      answerOf(subject.main.trading.cancel({ market: 'btc_usdt', exchangeOrderId }));
      expect(wallet(subject).usdt).toEqual(['1000000', '0']);
    });

    it('takes the fee of a buy in the base currency, of a sell in the quote currency', () => {
      const subject = open();
      subject.liquidity.replace({ bids: [[30_000, 1]], asks: [[30_000, 1]] });
      answerOf(subject.main.trading.place(BID));
      expect(wallet(subject)).toMatchObject({ btc: ['100.998', '0'], usdt: ['970000', '0'] });
      answerOf(subject.main.trading.place({ ...BID, side: 'sell' }));
      expect(wallet(subject)).toMatchObject({ btc: ['99.998', '0'], usdt: ['999940', '0'] });
    });
  });
}
