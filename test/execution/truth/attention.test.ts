import { describe, expect, it } from 'vitest';
import { newsOf, type OrderRecord } from '../../../src/domain/index.ts';
import { amount } from '../exchange-model.ts';
import { createBench, MARKET, quotes, SECOND_MARKET } from '../fixture.ts';

describe('Attention', () => {
  it('reads an order whose end a push tells otherwise than it is known', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    bench.clock.advanceBy(100);
    const [{ record } = { record: undefined }] = bench.model.open;
    const stamps = { exchangeTime: bench.clock.now(), receivedTime: bench.clock.now() };
    const told = (filledAmount: OrderRecord['filledAmount']) => {
      const order = { ...record!, closed: true, filledAmount };
      bench.bus.publish({ kind: 'orderPush', market: MARKET.id, order, ...stamps });
      bench.clock.advanceBy(10_000);
      const asked = bench.ofKind('request').filter(({ operation }) => operation === 'queryOrder');
      return asked.length;
    };
    const before = told(record!.amount);
    expect(told(record!.amount)).toBe(before);
    expect(told(amount(0.5))).toBe(before + 1);
  });

  it('has an order cancelled that comes back to life, and keeps the one in its place', () => {
    const bench = createBench();
    const place = (at: number) => {
      bench.wish(quotes([at]));
      bench.clock.advanceBy(100);
    };
    place(100);
    place(101);
    const [lost] = bench.model.orders;
    const { clientOrderId } = bench.orders.byExchangeOrderId(lost!.record.exchangeOrderId)!;
    bench.clock.advanceBy(40_000);
    const before = bench.model.of('cancel').length;
    const time = bench.clock.now();
    const open = newsOf(
      { ...lost!.record, closed: false },
      { time, evidence: 'query', asOfTime: time },
    );
    expect(bench.orders.apply(clientOrderId, open).status).toBe('open');
    bench.clock.advanceBy(5_000);
    expect(bench.model.of('cancel')).toHaveLength(before + 1);
    expect(bench.live()).toMatchObject([{ price: 101, status: 'open' }]);
  });

  it('wakes every desk whose order changed, though all changes came before the first was heeded', () => {
    const bench = createBench();
    bench.wish(quotes([100]), 'one');
    bench.wish(quotes([100], [], { market: SECOND_MARKET.id }), 'two');
    bench.clock.advanceBy(100);
    const records = bench.model.open.map(({ record }) => record);
    expect(records.map(({ market }) => market)).toEqual([MARKET.id, SECOND_MARKET.id]);
    const stamps = { exchangeTime: bench.clock.now(), receivedTime: bench.clock.now() };
    const end = (record: OrderRecord) => {
      const { market } = record;
      const order = { ...record, closed: true };
      bench.bus.publish({ kind: 'orderPush', market, order, ...stamps });
    };
    const nested = bench.bus.on('trade').subscribe(() => records.forEach(end));
    const trade = { id: '1', price: 100, amount: 1, side: 'buy', ...stamps } as const;
    bench.bus.publish({ kind: 'trade', market: MARKET.id, ...trade });
    nested.unsubscribe();
    bench.clock.advanceBy(60_000);
    const again = bench.events.flatMap((event) =>
      event.kind === 'order' && event.order.status === 'pending' ? [event.market] : [],
    );
    expect(again.slice(2).sort()).toEqual([MARKET.id, SECOND_MARKET.id].sort());
  });
});
