import { describe, expect, it } from 'vitest';
import type { Amount, OrderRecord, Price, Side } from '../../src/domain/index.ts';
import type { OrderFilter, OrderListQuery } from '../../src/exchange/index.ts';
import { answerOf, failureOf } from '../sim/fixture.ts';
import { opener, type Subject, WAYS } from './subjects.ts';

const MARKET = 'btc_usdt';

function place(subject: Subject, terms: { price: number; side?: Side; amount?: number }): string {
  const { price, side = 'buy', amount = 0.01 } = terms;
  subject.pass(1);
  const order = { market: MARKET, side, type: 'limit', price: price as Price } as const;
  return answerOf(subject.main.trading.place({ ...order, amount: amount as Amount }))
    .exchangeOrderId;
}

/** One order that rests, one that rests and has filled in part, one filled, one cancelled. */
function fourOrders(subject: Subject) {
  const resting = place(subject, { price: 20_000 });
  const partial = place(subject, { price: 29_000, amount: 1 });
  subject.liquidity.print({ takerSide: 'sell', price: 29_000, amount: 0.4 });
  const filled = place(subject, { price: 31_000, side: 'sell' });
  subject.liquidity.print({ takerSide: 'buy', price: 31_000, amount: 1 });
  const cancelled = place(subject, { price: 19_000 });
  answerOf(subject.main.trading.cancel({ market: MARKET, exchangeOrderId: cancelled }));
  return { resting, partial, filled, cancelled };
}

for (const way of WAYS) {
  describe(`order lists, ${way}`, () => {
    const open = opener(way);

    const idsOf = (orders: readonly OrderRecord[]) => orders.map((order) => order.exchangeOrderId);
    const list = ({ main }: Subject, filter: OrderFilter, more: Partial<OrderListQuery> = {}) =>
      answerOf(main.orderLists.list({ market: MARKET, filter, ...more }));

    it('hold all orders of both sides, newest first', () => {
      const subject = open();
      const { resting, partial, filled, cancelled } = fourOrders(subject);
      expect(idsOf(list(subject, 'all'))).toEqual([cancelled, filled, partial, resting]);
    });

    it('hold unfinished orders alone', () => {
      const subject = open();
      const { resting, partial } = fourOrders(subject);
      expect(idsOf(list(subject, 'unfinished'))).toEqual([partial, resting]);
    });

    it('hold orders that are finished or have filled in part', () => {
      const subject = open();
      const { partial, filled, cancelled } = fourOrders(subject);
      expect(idsOf(list(subject, 'finished'))).toEqual([cancelled, filled, partial]);
    });

    it('hold one side where it is named', () => {
      const subject = open();
      const { filled } = fourOrders(subject);
      expect(idsOf(list(subject, 'all', { side: 'sell' }))).toEqual([filled]);
    });

    it('come in pages of up to a hundred', () => {
      const subject = open();
      const ids = Array.from({ length: 23 }, (_, at) => place(subject, { price: 20_000 + at }));
      const pages = [1, 2, 3].map((page) => idsOf(list(subject, 'all', { page })));
      expect(pages.flat()).toEqual(ids.toReversed());
      expect(pages.map(({ length }) => length)).toEqual([10, 10, 3]);
      expect(idsOf(list(subject, 'all', { pageSize: 100 }))).toEqual(ids.toReversed());
      expect(idsOf(list(subject, 'all', { page: 4 }))).toEqual([]);
    });

    it('refuse a market that there is not', () => {
      const { main } = open();
      const call = main.orderLists.list({ market: 'no_market', filter: 'all' });
      expect(failureOf(call)).toMatchObject({ kind: 'rejected' });
    });

    it('tell the fee and the value of what filled', () => {
      const subject = open();
      const { partial, filled } = fourOrders(subject);
      const orders = new Map(list(subject, 'all').map((order) => [order.exchangeOrderId, order]));
      expect(`${orders.get(partial)?.filledValue}`).toBe('11600');
      expect(`${orders.get(partial)?.fee}`).toBe('0.0008');
      expect(`${orders.get(filled)?.filledValue}`).toBe('310');
      expect(`${orders.get(filled)?.fee}`).toBe('0.62');
    });
  });
}
