import { describe, expect, it } from 'vitest';
import type { Amount, Price, Side } from '../../src/domain/index.ts';
import { CODES, type PlaceRequest } from '../../src/exchange/index.ts';
import { MINUTE_MS } from '../../src/kernel/index.ts';
import { answerOf, failureOf, START_MS } from '../sim/fixture.ts';
import { accountsFixture, opener, type Subject, WAYS } from './subjects.ts';

const MARKET = 'btc_usdt';

/** A request to buy 1 btc at 30,000 usdt, unless told otherwise. */
function request(
  changes: Partial<Omit<PlaceRequest, 'price' | 'amount'>> & {
    price?: number;
    amount?: number;
  } = {},
): PlaceRequest {
  const { price = 30_000, amount = 1, ...rest } = changes;
  const terms = { price: price as Price, amount: amount as Amount };
  return { market: MARKET, side: 'buy', type: 'limit', ...rest, ...terms };
}

function place({ main }: Subject, changes: Parameters<typeof request>[0] = {}): string {
  return answerOf(main.trading.place(request(changes))).exchangeOrderId;
}

function read({ main }: Subject, exchangeOrderId: string) {
  return answerOf(main.trading.order({ market: MARKET, exchangeOrderId }));
}

function ids({ main }: Subject, side: Side, page: number): readonly string[] {
  const orders = answerOf(main.trading.orders({ market: MARKET, side, page }));
  return orders.map(({ exchangeOrderId }) => exchangeOrderId);
}

for (const way of WAYS) {
  describe(`trading, ${way}`, () => {
    const open = opener(way);

    it('lets a limit order rest and tells it as it was placed', () => {
      const subject = open();
      const id = place(subject);
      expect(id).toMatch(/^\d{17,}$/);
      expect(read(subject, id)).toMatchObject({
        ...{ market: MARKET, exchangeOrderId: id, side: 'buy', type: 'limit', closed: false },
        ...{ price: 30_000, amount: 1, filledAmount: 0, exchangeTime: START_MS },
      });
    });

    it('tells filled amount and value of an order that met the book', () => {
      const subject = open();
      subject.liquidity.replace({ bids: [], asks: [[29_990, 0.4]] });
      const id = place(subject);
      const order = read(subject, id);
      expect(order).toMatchObject({ filledAmount: 0.4, closed: false });
      expect(order.filledValue.toString()).toBe('11996');
    });

    it.each(['buy', 'sell'] as const)('knows PostOnly and IOC of a %s', (side) => {
      const subject = open();
      subject.liquidity.replace({ bids: [[29_999, 1]], asks: [[30_001, 1]] });
      const passive = side === 'buy' ? 29_998 : 30_002;
      const postOnly = place(subject, { side, type: 'postOnly', price: passive });
      expect(read(subject, postOnly)).toMatchObject({ type: 'postOnly', side, closed: false });
      const ioc = place(subject, { side, type: 'ioc', price: passive });
      expect(read(subject, ioc)).toMatchObject({
        type: 'ioc',
        side,
        closed: true,
        filledAmount: 0,
      });
      const touch = side === 'buy' ? 30_001 : 29_999;
      const taking = request({ side, type: 'postOnly', price: touch });
      expect(failureOf(subject.main.trading.place(taking))).toMatchObject({ kind: 'rejected' });
    });

    it('finds an order by its client id, the newest of several', () => {
      const subject = open();
      const older = place(subject, { clientOrderId: 'abc1' });
      const newer = place(subject, { clientOrderId: 'abc1', price: 29_000 });
      const reference = { market: MARKET, clientOrderId: 'abc1' };
      expect(answerOf(subject.main.trading.order(reference)).exchangeOrderId).toBe(newer);
      answerOf(subject.main.trading.cancel(reference));
      expect(read(subject, newer).closed).toBe(true);
      expect(read(subject, older).closed).toBe(false);
    });

    it('refuses a client id that is too short, too long or no letters and digits', () => {
      const { main } = open();
      for (const clientOrderId of ['abc', 'a'.repeat(37), 'a b c', 'ab-cd']) {
        const failure = failureOf(main.trading.place(request({ clientOrderId })));
        expect(['rejected', 'unsent']).toContain(failure.kind);
      }
    });

    it('cancels an order and tells its totals', () => {
      const subject = open();
      subject.liquidity.replace({ bids: [], asks: [[29_990, 0.4]] });
      const exchangeOrderId = place(subject);
      const totals = answerOf(subject.main.trading.cancel({ market: MARKET, exchangeOrderId }));
      expect(totals).toMatchObject({ amount: 1, price: 30_000, filledAmount: 0.4 });
      expect(totals?.filledValue.toString()).toBe('11996');
      expect(read(subject, exchangeOrderId)).toMatchObject({ closed: true, filledAmount: 0.4 });
    });

    it('refuses to cancel or read an order that there is not', () => {
      const { main } = open();
      const reference = { market: MARKET, exchangeOrderId: '202201220000000001' };
      const expected = { kind: 'rejected', code: CODES.orderNotFound };
      expect(failureOf(main.trading.order(reference))).toMatchObject(expected);
      expect(failureOf(main.trading.cancel(reference))).toMatchObject(expected);
    });

    it('does not show or cancel the orders of another account', () => {
      const subject = open();
      const exchangeOrderId = place(subject);
      const { trading } = subject.other;
      const expected = { kind: 'rejected', code: CODES.orderNotFound };
      expect(failureOf(trading.order({ market: MARKET, exchangeOrderId }))).toMatchObject(expected);
      expect(failureOf(trading.cancel({ market: MARKET, exchangeOrderId }))).toMatchObject(
        expected,
      );
      expect(answerOf(trading.orders({ market: MARKET, side: 'buy', page: 1 }))).toEqual([]);
    });

    it('places a batch of one side and answers with the ids in its order', () => {
      const subject = open();
      const orders = [29_000, 28_000, 27_000].map((price) => ({
        ...{ price: price as Price, amount: 0.1 as Amount },
      }));
      const batch = { market: MARKET, side: 'buy', orders } as const;
      const { exchangeOrderIds } = answerOf(subject.main.trading.placeBatch(batch));
      expect(exchangeOrderIds.map((id) => read(subject, id).price)).toEqual([
        29_000, 28_000, 27_000,
      ]);
    });

    it('takes a batch up to the first order that it refuses, and says which that is', () => {
      const subject = open({ accounts: accountsFixture({ balances: { usdt: '5000' } }) });
      const orders = [29_000, 28_000, 27_000].map((price) => ({
        ...{ price: price as Price, amount: 0.1 as Amount },
      }));
      const batch = { market: MARKET, side: 'buy', orders } as const;
      const { exchangeOrderIds, remark } = answerOf(subject.main.trading.placeBatch(batch));
      expect(exchangeOrderIds.map((id) => read(subject, id).price)).toEqual([29_000]);
      expect(remark).toMatch(/^The batch ended at order 2 of 3: /);
    });

    it('refuses a batch of none or of more than twenty', () => {
      const { main } = open();
      const order = { price: 29_000 as Price, amount: 0.1 as Amount };
      for (const count of [0, 21]) {
        const orders = Array.from({ length: count }, () => order);
        const failure = failureOf(main.trading.placeBatch({ market: MARKET, side: 'buy', orders }));
        expect(['rejected', 'unsent']).toContain(failure.kind);
      }
    });

    it('lists orders of one side, open and closed, newest first, ten a page', () => {
      const subject = open();
      const bids = Array.from({ length: 12 }, (_, at) => {
        subject.pass(1);
        return place(subject, { price: 20_000 + at, amount: 0.001 });
      });
      place(subject, { side: 'sell', price: 40_000 });
      answerOf(subject.main.trading.cancel({ market: MARKET, exchangeOrderId: bids[11]! }));
      const newestFirst = bids.toReversed();
      expect(ids(subject, 'buy', 1)).toEqual(newestFirst.slice(0, 10));
      expect(ids(subject, 'buy', 2)).toEqual(newestFirst.slice(10));
      expect(ids(subject, 'buy', 3)).toEqual([]);
      expect(ids(subject, 'sell', 1)).toHaveLength(1);
    });

    it('cancels all orders of a market one minute after the call', () => {
      const subject = open();
      answerOf(subject.main.trading.cancelAllAfter(MARKET));
      const id = place(subject);
      const elsewhere = answerOf(
        subject.main.trading.place({ ...request({ price: 100 }), market: 'eth_usdt' }),
      ).exchangeOrderId;
      subject.pass(MINUTE_MS - 1);
      expect(read(subject, id).closed).toBe(false);
      subject.pass(1);
      expect(read(subject, id).closed).toBe(true);
      const reference = { market: 'eth_usdt', exchangeOrderId: elsewhere };
      expect(answerOf(subject.main.trading.order(reference)).closed).toBe(false);
    });

    it('moves the minute with a further call', () => {
      const subject = open();
      const id = place(subject);
      answerOf(subject.main.trading.cancelAllAfter(MARKET));
      subject.pass(40_000);
      answerOf(subject.main.trading.cancelAllAfter(MARKET));
      subject.pass(40_000);
      expect(read(subject, id).closed).toBe(false);
      subject.pass(20_000);
      expect(read(subject, id).closed).toBe(true);
    });

    it('refuses an order without the money for it, and prices and amounts that are none', () => {
      const { main } = open();
      const poor = failureOf(main.trading.place(request({ amount: 99 })));
      expect(poor).toMatchObject({ kind: 'rejected', code: CODES.balance });
      for (const changes of [{ price: 0 }, { price: -1 }, { amount: 0 }, { price: 30_000.001 }]) {
        const failure = failureOf(main.trading.place(request(changes)));
        expect(['rejected', 'unsent']).toContain(failure.kind);
      }
      const small = failureOf(main.trading.place(request({ amount: 0.00005 })));
      expect(['rejected', 'unsent']).toContain(small.kind);
    });
  });
}
