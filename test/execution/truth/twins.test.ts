import { describe, expect, it } from 'vitest';
import { type Intent, isFinal, type OrderState } from '../../../src/domain/index.ts';
import type { OrdersQuery } from '../../../src/exchange/index.ts';
import type { ExecutorOptions } from '../../../src/execution/ports.ts';
import { Horizon } from '../../../src/execution/truth/horizon.ts';
import { Twins } from '../../../src/execution/truth/twins.ts';
import { makePending } from '../../domain/fixture.ts';
import { amount, type ExchangeModel, type Fate, price } from '../exchange-model.ts';
import { type BenchOptions, createBench, depthOf, MARKET, quotes, target } from '../fixture.ts';

interface RepeatedOptions extends BenchOptions {
  /** How much of each copy trades at once. Default: nothing. */
  readonly fills?: number;
  /** How many requests are repeated. Default: the first alone. */
  readonly repeats?: number;
  /** What becomes of the order's request. Default: it is answered. */
  readonly fate?: Fate;
  readonly pushes?: boolean;
  /** How far the exchange's clock is ahead of ours. Default: not at all. */
  readonly aheadMs?: number;
}

/** Repeats so many of the next requests on their way; both copies fill that much at once. */
function repeat(model: ExchangeModel, { count = 1, fills = 0 } = {}): void {
  let left = count;
  model.onPlaced = ({ record, clientOrderId }) => {
    if (clientOrderId !== undefined && left-- > 0) model.placeForeign(record);
    return fills;
  };
}

/** An executor whose requests somebody repeats on their way, and its wish. */
function createRepeated(wish: Intent, options: RepeatedOptions = {}) {
  const { fills = 0, repeats = 1, fate = {}, pushes = true, aheadMs = 0 } = options;
  const bench = createBench(options);
  const { model } = bench;
  model.clockAheadMs = aheadMs;
  bench.depths.set(MARKET.id, depthOf(99, 100));
  if (!pushes) model.pushDelayMs = undefined;
  model.fate = (operation) => (operation === 'place' ? fate : {});
  repeat(model, { count: repeats, fills });
  bench.wish(wish);
  bench.clock.advanceBy(100);
  return bench;
}

const QUOTE = quotes([90]);

describe('Twins', () => {
  it('are cancelled, and the order that is known stays', () => {
    const bench = createRepeated(QUOTE);
    const [known, twin] = bench.model.orders;
    expect([known!.record.closed, twin!.record.closed]).toEqual([false, true]);
    expect(bench.live()).toMatchObject([{ exchangeOrderId: known!.record.exchangeOrderId }]);
    expect(bench.model.of('place')).toHaveLength(1);
    expect(bench.halts).toEqual([]);
  });

  it('are found by a stop that no push told of them, behind a page of later orders', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.executor.reconcile('start').subscribe();
    bench.clock.advanceBy(100);
    repeat(bench.model);
    for (let at = 0; at < 12; at++) {
      bench.wish(quotes([90 - at]));
      bench.clock.advanceBy(400);
    }
    expect(bench.model.open).toHaveLength(2);
    let verified: boolean | undefined;
    bench.executor.stop().subscribe((report) => {
      verified = report.verified;
    });
    bench.clock.advanceBy(20_000);
    expect(verified).toBe(true);
    expect(bench.model.open).toEqual([]);
  });

  it('are of the strategy that wished the order, with what they fill', () => {
    const bench = createRepeated(QUOTE, { fills: 0.25 });
    bench.clock.advanceBy(5_000);
    const fills = bench.ofKind('fill').map(({ fill }) => [fill.strategy, Number(fill.amount)]);
    expect(fills.toSorted()).toEqual([
      ['maker', 0.25],
      ['maker', 0.25],
    ]);
    expect(bench.held('maker')).toBe(0.5);
  });

  it('that took at once are booked, and what they took too much is given back', () => {
    const bench = createRepeated(target(2), { fills: 2 });
    bench.clock.advanceBy(10_000);
    const orders = bench.model.orders.map(({ record }) => [record.side, Number(record.amount)]);
    expect(orders).toEqual([
      ['buy', 2],
      ['buy', 2],
      ['sell', 2],
    ]);
    expect(bench.held('maker')).toBe(2);
  });

  it('of an order whose answer got lost wait until it is known which is which', () => {
    const bench = createRepeated(QUOTE, { fate: { loss: 'silent' } });
    expect(bench.live()).toMatchObject([{ status: 'unknown' }]);
    expect(bench.model.open).toHaveLength(2);
    bench.clock.advanceBy(10_000);
    expect(bench.model.open).toHaveLength(1);
    const [{ record } = { record: undefined }] = bench.model.open;
    expect(bench.live()).toMatchObject([
      { status: 'open', exchangeOrderId: record!.exchangeOrderId },
    ]);
  });
});

describe('Twins, where pushes are lost,', () => {
  it('of which no push tells are found by the next reading', () => {
    const bench = createRepeated(QUOTE, { pushes: false });
    expect(bench.model.open).toHaveLength(2);
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(5_000);
    expect(bench.model.open).toHaveLength(1);
    expect(bench.live()).toHaveLength(1);
  });

  it('of which no push tells are taken over by nobody else (foreignOrders: adopt)', () => {
    const bench = createRepeated(QUOTE, { pushes: false, config: { foreignOrders: 'adopt' } });
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(5_000);
    expect(bench.model.open).toHaveLength(1);
    expect(bench.ofKind('reconciliation').map(({ adopted }) => adopted)).toEqual([0]);
    expect(new Set(bench.ofKind('order').map(({ order }) => order.strategy))).toEqual(
      new Set(['maker']),
    );
  });

  it('are cancelled by the next reading where the push of ours alone is lost', () => {
    const { model, clock, executor, live } = createRepeated(QUOTE, { pushes: false });
    const [known, twin] = model.orders;
    clock.advanceBy(10_000);
    model.pushes.next(twin!.record);
    executor.reconcile('asked');
    clock.advanceBy(1_000);
    expect([known!.record.closed, twin!.record.closed]).toEqual([false, true]);
    expect(live()).toMatchObject([{ exchangeOrderId: known!.record.exchangeOrderId }]);
  });

  it('that were over before any push told of them are booked by the next reading', () => {
    const bench = createRepeated(QUOTE, { fills: 1, pushes: false });
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(5_000);
    expect(bench.held('maker')).toBe(2);
  });
});

describe('Twins beside an order of their terms that was taken over', () => {
  it('are cancelled, and that one rests on', () => {
    const bench = createBench({ config: { foreignOrders: 'adopt' } });
    const { model, clock } = bench;
    const terms = { market: MARKET.id, type: 'limit', side: 'buy' } as const;
    const adopted = model.placeForeign({ ...terms, price: price(90), amount: amount(1) });
    bench.executor.reconcile('start');
    clock.advanceBy(10_000);
    repeat(model);
    bench.wish(QUOTE);
    clock.advanceBy(5_000);
    expect(model.orders).toHaveLength(3);
    expect(model.open).toEqual([adopted, model.orders[1]]);
  });
});

describe('Twins behind a page of closed orders, of which no push tells', () => {
  it.each(['ignore', 'adopt', 'cancel'] as const)(
    'are cancelled after the next reading (foreignOrders: %s)',
    (foreignOrders) => {
      const bench = createBench({ config: { foreignOrders } });
      bench.wish(quotes([89]));
      bench.clock.advanceBy(100);
      bench.executor.reconcile('asked');
      bench.clock.advanceBy(10_000);
      bench.model.pushDelayMs = undefined;
      repeat(bench.model);
      for (let i = 0; i < 15; i++) {
        bench.wish(quotes([90 + i]));
        bench.clock.advanceBy(500);
      }
      bench.wish(quotes([]));
      bench.clock.advanceBy(500);
      expect(bench.model.open).toHaveLength(1);
      bench.executor.reconcile('asked');
      bench.clock.advanceBy(5_000);
      expect(bench.model.open).toEqual([]);
    },
  );
});

describe('Twins where our date is wrong', () => {
  it.each([240_000, -240_000])('are found by a reading (by %d ms)', (aheadMs) => {
    const bench = createRepeated(QUOTE, { aheadMs, pushes: false });
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(5_000);
    expect(bench.model.open).toHaveLength(1);
    expect(bench.live()).toHaveLength(1);
  });

  it.each([240_000, -240_000])(
    'are found where the pushes of our first order come before its answer (by %d ms)',
    (aheadMs) => {
      const bench = createRepeated(QUOTE, { aheadMs, fills: 1, fate: { backMs: 50 } });
      bench.clock.advanceBy(1_000);
      expect(bench.held('maker')).toBe(2);
    },
  );

  it.each([240_000, -240_000])('are found where the first push is theirs (by %d ms)', (aheadMs) => {
    const bench = createRepeated(QUOTE, { aheadMs, pushes: false });
    const [known, twin] = bench.model.orders;
    bench.model.pushes.next(twin!.record);
    bench.model.pushes.next(known!.record);
    bench.clock.advanceBy(5_000);
    expect(bench.model.open).toEqual([known]);
  });

  it.each([
    { what: 'went wrong', aheadMs: [-240_000, -240_000], pushes: true },
    { what: 'went wrong, and no push tells', aheadMs: [-240_000, -240_000], pushes: false },
    { what: 'is right again', aheadMs: [-240_000, 0], pushes: true },
  ] as const)('are found where it $what just before', ({ aheadMs, pushes }) => {
    const bench = createRepeated(QUOTE, { repeats: 0, pushes });
    bench.model.clockAheadMs = aheadMs[0];
    bench.wish(quotes([91]));
    bench.clock.advanceBy(1_000);
    bench.model.clockAheadMs = aheadMs[1];
    repeat(bench.model);
    bench.wish(QUOTE);
    bench.clock.advanceBy(1_000);
    if (!pushes) bench.executor.reconcile('asked');
    bench.clock.advanceBy(5_000);
    expect(bench.model.open).toHaveLength(1);
  });
});

interface RestartedOptions {
  /** How long after the kill the copy comes. */
  readonly repeatedMs?: number;
  /** How much of the copy trades. */
  readonly fills?: number;
  /** Orders of somebody else that trade behind the copy. */
  readonly others?: number;
  /** Whether the quote was cancelled before the kill. */
  readonly ended?: boolean;
  /** How far the exchange's clock is ahead of ours. */
  readonly aheadMs?: number;
  /** How far our date was set back before the quote left, behind another that did. */
  readonly setBackMs?: number;
}

/** An order as it was had our date been set back. */
function setBack<T extends OrderState>(order: T, byMs: number): T {
  const { createdTime, changedTime } = order;
  return { ...order, createdTime: createdTime - byMs, changedTime: changedTime - byMs };
}

describe('Twins of orders that an earlier run had sent', () => {
  /** A run that was killed with a quote whose request somebody repeats, and the one after it. */
  const restarted = (options: RestartedOptions = {}) => {
    const { repeatedMs = 10, fills = 0, others = 0, ended = false, aheadMs = 0 } = options;
    const first = createBench({ idPrefix: 'first' });
    const { clock, model } = first;
    model.clockAheadMs = aheadMs;
    if (options.setBackMs !== undefined) first.wish(quotes([89]));
    clock.advanceBy(100);
    first.wish(QUOTE);
    clock.advanceBy(100);
    if (ended) first.wish(quotes([]));
    clock.advanceBy(100);
    const quoted = model.orders.at(-1)!.record;
    const requestTimes = first.ofKind('request').map(({ time }) => time);
    const byDate = <T extends OrderState>(order: T): T =>
      order.price === quoted.price ? setBack(order, options.setBackMs ?? 0) : order;
    const states = first.ofKind('order').map(({ order }) => byDate(order));
    const orders = first.live().map(byDate);
    const endedOrders = states.filter(isFinal);
    const recentOrders = states.filter((order) => order.status === 'pending');
    first.kill();
    clock.advanceBy(repeatedMs);
    const twin = model.placeForeign(quoted);
    model.fill(twin, fills);
    for (let i = 0; i < others; i++) {
      model.fill(model.placeForeign({ ...quoted, price: price(80) }), 1);
    }
    const bench = createBench({ clock, model, idPrefix: 'second' });
    bench.restore({ orders, recentOrders, endedOrders, requestTimes });
    bench.executor.reconcile('start');
    // A quote of the same terms would have it for its own twin.
    bench.wish(options.setBackMs === undefined ? QUOTE : quotes([88]));
    clock.advanceBy(20_000);
    return bench;
  };

  it('are cancelled, and the order that is known stays', () => {
    const { model } = restarted();
    expect(model.open).toEqual([model.orders[0]]);
    expect(model.of('place')).toHaveLength(1);
  });

  it.each([0.25, 1])('are of its strategy, with the %d that they fill', (fills) => {
    const { held } = restarted({ fills });
    expect(held('maker')).toBe(fills);
  });

  it.each([
    { ended: true, aheadMs: 0 },
    { ended: false, aheadMs: -240_000 },
    { ended: true, aheadMs: -240_000 },
  ])('are found behind pages of closed orders where they traded meanwhile: %o', (quote) => {
    const { held, model } = restarted({ ...quote, fills: 1, others: 25 });
    expect(held('maker')).toBe(1);
    const pages = model.of('orders').map(({ what }) => (what as OrdersQuery).page);
    expect(Math.max(...pages)).toBe(3);
  });

  it.each([240_000, -240_000])('are found where our date was set back by %d ms', (setBackMs) => {
    const { held } = restarted({ setBackMs, fills: 1, ended: true });
    expect(held('maker')).toBe(1);
  });

  it('are not those that come when no copy can be under way any more', () => {
    const { model } = restarted({ repeatedMs: 120_000 });
    expect(model.open).toContain(model.orders[1]);
    expect(model.of('cancel')).toEqual([]);
  });
});

describe('Twins.restoredSince', () => {
  it('is when the oldest order that an earlier run sent in the market was made', () => {
    const bench = createBench();
    const options = bench as Partial<ExecutorOptions> as ExecutorOptions;
    const twins = new Twins(options, { horizon: new Horizon(options), onHalt: () => {} });
    const made = (createdTime: number, market: string) => makePending({ createdTime, market });
    twins.restore([made(7, 'a_b'), made(5, 'a_b'), made(9, 'a_b'), made(6, 'c_d')]);
    const since = ['a_b', 'c_d', 'e_f'].map((market) => twins.restoredSince(market));
    expect(since).toEqual([5, 6, undefined]);
  });
});

describe('Twins, the second time', () => {
  const again = (afterMs: number) => {
    const bench = createRepeated(QUOTE, { repeats: 2 });
    bench.clock.advanceBy(afterMs);
    bench.wish(quotes([91]));
    bench.clock.advanceBy(1_000);
    return bench;
  };

  it('within an hour halt trading, and nothing of ours rests', () => {
    const bench = again(3_000_000);
    expect(bench.halts).toEqual([expect.stringContaining('twice')]);
    expect(bench.model.open).toEqual([]);
  });

  it('later are cancelled like the first', () => {
    const bench = again(3_700_000);
    expect(bench.halts).toEqual([]);
    expect(bench.model.open).toHaveLength(1);
  });
});

describe('Twins are not', () => {
  const foreign = (terms: { at?: number; of?: number; side?: 'buy' | 'sell' }, afterMs = 0) => {
    const bench = createBench();
    bench.wish(QUOTE);
    bench.clock.advanceBy(100 + afterMs);
    const { at = 90, of = 1, side = 'buy' } = terms;
    const others = { market: MARKET.id, type: 'limit', side } as const;
    bench.model.placeForeign({ ...others, price: price(at), amount: amount(of) });
    bench.clock.advanceBy(5_000);
    return bench;
  };

  it.each([
    ['of another price', { at: 90.01 }, 0],
    ['of another amount', { of: 1.0001 }, 0],
    ['of the other side', { side: 'sell' as const }, 0],
    ['that come when no copy can be under way any more', {}, 120_000],
  ])('orders %s', (_, terms, afterMs) => {
    const bench = foreign(terms, afterMs);
    expect(bench.model.open).toHaveLength(2);
    expect(bench.live()).toHaveLength(1);
  });

  it.each([
    ['a reading', false],
    ['a push', true],
  ])('orders that %s told of before ours left, however shortly', (_by, pushes) => {
    const bench = createBench({ config: { foreignOrders: 'ignore' } });
    const { model, clock } = bench;
    if (!pushes) model.pushDelayMs = undefined;
    const terms = { market: MARKET.id, side: 'buy', type: 'limit' } as const;
    model.placeForeign({ ...terms, price: price(90), amount: amount(1) });
    clock.advanceBy(2_100);
    bench.executor.reconcile('asked');
    clock.advanceBy(100);
    bench.wish(quotes([90], [], { postOnly: false }));
    clock.advanceBy(100);
    bench.executor.reconcile('asked');
    clock.advanceBy(5_000);
    expect(model.open).toHaveLength(2);
    expect(bench.live()).toHaveLength(1);
  });

  it('orders that were there before ours', () => {
    const bench = createBench();
    const order = { market: MARKET.id, type: 'limit', side: 'buy' } as const;
    bench.model.placeForeign({ ...order, price: price(90), amount: amount(1) });
    bench.clock.advanceBy(6_000);
    bench.wish(QUOTE);
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(5_000);
    expect(bench.model.open).toHaveLength(2);
    expect(bench.halts).toEqual([]);
  });
});

describe('Twins are never', () => {
  /**
   * A stranger with our terms whose first news is its end. Returns the number of orders that are
   * ours then.
   */
  const over = (filled: number, isPast = false) => {
    const bench = createBench();
    bench.wish(QUOTE);
    bench.clock.advanceBy(100);
    bench.model.pushDelayMs = undefined;
    const order = bench.model.placeForeign(bench.model.orders[0]!.record);
    bench.model.fill(order, filled);
    bench.model.end(order);
    const pastExchangeOrderIds = isPast ? [order.record.exchangeOrderId] : [];
    bench.restore({ pastExchangeOrderIds });
    bench.model.pushes.next(order.record);
    return new Set(bench.ofKind('order').map(({ order: { clientOrderId } }) => clientOrderId)).size;
  };

  it('orders that ended unfilled, or that an earlier run had booked', () => {
    expect(over(0.5)).toBe(2);
    expect(over(0)).toBe(1);
    expect(over(0.5, true)).toBe(1);
  });

  it('orders of ours that are over and forgotten, of which a push or a reading tells again', () => {
    const bench = createBench({ finalOrdersMax: 1 });
    for (let i = 0; i < 3; i++) {
      bench.wish(QUOTE);
      bench.clock.advanceBy(100);
      bench.model.fill(bench.model.orders.at(-1)!);
      bench.clock.advanceBy(100);
    }
    bench.model.pushes.next(bench.model.orders[0]!.record);
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(1_000);
    expect(bench.ofKind('reconciliation')).toHaveLength(1);
    expect(bench.ofKind('fill')).toHaveLength(3);
  });

  it('an order of ours that was taken to be absent, and is late', () => {
    const bench = createBench();
    bench.model.fate = (operation) => (operation === 'place' ? { thereMs: 170_000 } : {});
    bench.wish(QUOTE);
    bench.clock.advanceBy(1_000);
    bench.model.fate = () => ({});
    bench.clock.advanceBy(200_000);
    const statuses = bench.ofKind('order').map(({ order }) => order.status);
    expect(statuses).toContain('rejected');
    expect(bench.model.open).toHaveLength(1);
    expect(bench.halts).toEqual([]);
    expect(new Set(bench.ofKind('order').map(({ order }) => order.clientOrderId)).size).toBe(2);
  });
});

describe('what a copy filled that no push told of', () => {
  it('is booked where an order of its terms that left later got lost', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.wish(QUOTE, 'one');
    bench.clock.advanceBy(5_000);
    bench.model.fill(bench.model.placeForeign(bench.model.open[0]!.record));
    bench.executor.reconcile('asked');
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'dead' } : {});
    bench.wish(QUOTE, 'two');
    bench.model.fate = () => ({});
    bench.clock.advanceBy(120_000);
    expect([bench.orders.unknownCount, bench.held()]).toEqual([1, 0]);
    bench.clock.advanceBy(30_000);
    expect([bench.orders.unknownCount, bench.held()]).toEqual([0, 1]);
  });
});
