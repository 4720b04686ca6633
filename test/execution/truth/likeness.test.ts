import { describe, expect, it } from 'vitest';
import type { LiveOrder, OrderRecord } from '../../../src/domain/index.ts';
import { batchTag } from '../../../src/execution/desk/tags.ts';
import type { Horizon } from '../../../src/execution/truth/horizon.ts';
import { likenessOf } from '../../../src/execution/truth/likeness.ts';
import { createModel, type Past, TERMS, WISH } from '../batches.ts';
import { type ExchangeModel, type Fate, price } from '../exchange-model.ts';
import { createBench, quotes, restarted } from '../fixture.ts';

describe('likenessOf, of an order that left at noon', () => {
  const NOON = Date.UTC(2024, 0, 1, 12);
  const horizon = { isAmong: () => false } as unknown as Horizon;
  const states = {
    open: { closed: false, filledAmount: 0 },
    filled: { closed: true, filledAmount: 1 },
    cancelled: { closed: true, filledAmount: 0 },
  } as const;

  it.each([
    ['this', 'a time', 1_000, 'cancelled', 'own'],
    ['this', 'a time', 0, 'cancelled', 'other'],
    ['this', 'a time', -600_000, 'filled', 'own'],
    ['this', 'a time', -600_001, 'filled', 'other'],
    ['this', 'no time', -3_600_000, 'open', 'own'],
    ['this', 'no time', 1_000, 'cancelled', 'other'],
    ['an earlier', 'a time', 1_000, 'cancelled', 'own'],
    ['an earlier', 'a time', -5_000, 'filled', 'own'],
    ['an earlier', 'a time', -5_001, 'filled', 'doubtful'],
    ['an earlier', 'a time', -600_000, 'open', 'doubtful'],
    ['an earlier', 'a time', -60_000, 'cancelled', 'other'],
    ['an earlier', 'a time', -600_001, 'open', 'other'],
    ['an earlier', 'no time', -305_000, 'filled', 'own'],
    ['an earlier', 'no time', -305_001, 'filled', 'doubtful'],
    ['an earlier', 'no time', -900_001, 'filled', 'other'],
    ['an earlier', 'no time', 1_000, 'cancelled', 'other'],
  ] as const)('in %s run with %s: what is %i ms off and %s is %s', (...facts) => {
    const [run, tagged, offMs, state, likeness] = facts;
    const tag = batchTag('quotes/bid/0', tagged === 'a time' ? NOON : undefined);
    const order = { tag, createdTime: NOON } as LiveOrder;
    const record = { exchangeTime: NOON + offMs, ...states[state] } as unknown as OrderRecord;
    const heardCount = run === 'this' ? 7 : undefined;
    expect(likenessOf(record, { order, heardCount, horizon })).toBe(likeness);
  });
});

describe('a batch whose answer was lost after an order that bore a time ahead of its own', () => {
  it.each([8_000, 240_000, 3_600_000])('by %i ms, is found and not sent again', (aheadMs) => {
    const bench = createBench(createModel({ fate: { loss: 'silent' } }));
    const { clock, model } = bench;
    bench.executor.reconcile('start');
    clock.advanceBy(1_000);
    model.clockAheadMs = aheadMs;
    model.placeForeign({ ...TERMS, side: 'sell' });
    model.clockAheadMs = 0;
    bench.executor.reconcile('later');
    clock.advanceBy(1_000);
    bench.wish(WISH);
    clock.advanceBy(180_000);
    expect(model.of('placeBatch')).toHaveLength(1);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
  });

  it('is found behind a page of younger ones before it counts as absent', () => {
    // No regular reading tells of them before.
    const config = { batch: true, reconcileMs: 600_000 };
    const bench = createBench({ ...createModel({ fate: { loss: 'silent' } }), config });
    const { clock, model } = bench;
    model.clockAheadMs = 240_000;
    model.placeForeign({ ...TERMS, side: 'sell' });
    model.clockAheadMs = 0;
    bench.executor.reconcile('start');
    clock.advanceBy(1_000);
    bench.wish(WISH);
    clock.advanceBy(20);
    for (let i = 0; i < 12; i++) model.placeForeign({ ...TERMS, price: price(50) });
    clock.advanceBy(100_000);
    expect(bench.orders.unknownCount).toBe(3);
    clock.advanceBy(80_000);
    expect(model.of('placeBatch')).toHaveLength(1);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
  });
});

describe('a batch that got lost on its way', () => {
  it('is not taken for an order of its terms that nobody heard of, of an hour ago', () => {
    const bench = createBench(createModel({ fate: { loss: 'lost' }, former: 0 }));
    const { clock, model } = bench;
    model.fill(model.placeForeign(TERMS));
    clock.advanceBy(3_600_000);
    model.pushDelayMs = 1;
    model.placeForeign({ ...TERMS, side: 'sell' });
    clock.advanceBy(1_000);
    bench.wish(WISH);
    clock.advanceBy(60_000);
    expect(bench.orders.unknownCount).toBe(3);
    expect(bench.ofKind('fill')).toEqual([]);
  });

  it('is not taken for an order of its terms that had been heard of', () => {
    const bench = createBench(createModel({ fate: { loss: 'lost' }, former: 0 }));
    const { clock, model } = bench;
    model.fill(model.placeForeign(TERMS));
    clock.advanceBy(240_000);
    model.placeForeign({ ...TERMS, side: 'sell' });
    bench.executor.reconcile('start');
    clock.advanceBy(1_000);
    bench.wish(WISH);
    clock.advanceBy(121_000);
    expect(bench.orders.unknownCount).toBe(3);
    clock.advanceBy(30_000);
    expect(bench.statuses('run1x1')).toEqual(['pending', 'unknown', 'rejected']);
    expect(bench.ofKind('fill')).toEqual([]);
  });
});

describe('a batch that got lost with its run after an order that bore a time ahead of its own', () => {
  it('stays unknown to the run after a kill, until what it may be is over', () => {
    const past = createModel({ fate: { loss: 'silent' } });
    const { clock, model } = past;
    const first = createBench({ ...past, idPrefix: 'first' });
    model.clockAheadMs = 8_000;
    model.placeForeign({ ...TERMS, side: 'sell' });
    model.clockAheadMs = 0;
    first.executor.reconcile('start');
    clock.advanceBy(1_000);
    first.wish(WISH);
    clock.advanceBy(12);
    const orders = first.live();
    first.kill();
    const restart = (idPrefix: string) => {
      // As long as they may rest the timed cancel is kept from them.
      const config = { ...past.config, restoredGraceMs: 600_000 };
      const bench = restarted(orders, { ...past, config, idPrefix });
      clock.advanceBy(180_000);
      return bench;
    };
    const second = restart('second');
    expect(second.orders.unknownCount).toBe(3);
    const readsBefore = model.of('orders').length;
    clock.advanceBy(50_000);
    expect(model.of('orders').length - readsBefore).toBeLessThan(3);
    second.kill();
    expect(model.of('placeBatch')).toHaveLength(1);
    for (const order of model.open) model.end(order);
    expect(restart('third').orders.unknownCount).toBe(0);
  });
});

describe('a batch that was taken, beside an order of its terms that ended unfilled', () => {
  it('is found by what rests, however new the other is', () => {
    const bench = createBench(createModel({ fate: { loss: 'silent' } }));
    const { clock, model } = bench;
    model.readLagMs = 1_500;
    bench.executor.reconcile('start');
    clock.advanceBy(3_000);
    bench.wish(WISH);
    clock.advanceBy(100);
    model.end(model.placeForeign(TERMS));
    clock.advanceBy(10_000);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
    expect(model.open).toHaveLength(3);
  });
});

/** A bench that sent two batches of two, of which the first orders are the same. */
function createTwo(fates: readonly [Fate, Fate]) {
  const bench = createBench(createModel({ former: 0 }));
  const { clock, model } = bench;
  model.end(model.placeForeign({ ...TERMS, side: 'sell' }));
  bench.executor.reconcile('start');
  clock.advanceBy(1_000);
  const left = [...fates];
  model.fate = (operation) => {
    if (operation === 'placeBatch') return { ...left.shift(), backMs: 7_900 };
    return operation === 'orders' ? { loss: 'lost', backMs: 500 } : {};
  };
  const wishWith = (other: number) => {
    const pairs = [
      [100, 1],
      [other, 2],
    ] as const;
    bench.wish(quotes(pairs, [], { postOnly: false }), `with ${other}`);
  };
  wishWith(99);
  clock.advanceBy(7_000);
  wishWith(98);
  clock.advanceBy(9_000);
  model.fate = () => ({});
  return bench;
}

describe('two orders of the same terms whose answers were lost', () => {
  it('are both found, each by a record that may be its own', () => {
    const bench = createTwo([{ loss: 'silent' }, { loss: 'silent' }]);
    expect(bench.orders.unknownCount).toBe(4);
    bench.clock.advanceBy(6_000);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open', 'open']);
    expect(bench.model.open).toHaveLength(4);
  });

  it('the younger is the one that is there, where only one is', () => {
    const bench = createTwo([{ loss: 'lost' }, { loss: 'silent' }]);
    bench.clock.advanceBy(6_000);
    const statuses = bench.live().map(({ strategy, status }) => [strategy, status]);
    expect(statuses).toEqual([
      ['with 99', 'unknown'],
      ['with 99', 'unknown'],
      ['with 98', 'open'],
      ['with 98', 'open'],
    ]);
  });

  it('one is not taken for what the answer to the batch of the other names', () => {
    const part = createModel({ former: 0 });
    const bench = createBench({ ...part, config: { batch: true, retriesMax: 0 } });
    const { clock, model } = bench;
    model.readLagMs = 10_000;
    model.takes = (terms) => terms.price !== 99;
    bench.wish(quotes([100, [99, 2]], [], { postOnly: false }), 'in part');
    clock.advanceBy(50);
    model.fate = (operation) => (operation === 'placeBatch' ? { loss: 'lost' } : {});
    bench.wish(quotes([100, [98, 3]], [], { postOnly: false }), 'lost');
    clock.advanceBy(20_000);
    const statuses = bench.live().map(({ strategy, status }) => [strategy, status]);
    expect(statuses).toEqual([
      ['in part', 'open'],
      ['lost', 'unknown'],
      ['lost', 'unknown'],
    ]);
  });
});

describe('a batch in the journal of a version that kept no time with it', () => {
  /** A run after the kill of one that had sent a batch; `former`: what the account had before. */
  function createAfterKill(past: Past, prepare: (model: ExchangeModel) => void) {
    const ground = createModel({ former: 0, ...past });
    const { clock, model } = ground;
    prepare(model);
    const first = createBench({ ...ground, idPrefix: 'first' });
    first.executor.reconcile('start');
    clock.advanceBy(1_000);
    first.wish(WISH);
    clock.advanceBy(12);
    const orders = first.live().map((order) => {
      const [tag] = order.tag.split(/(?<=\/batch)/);
      return { ...order, tag: tag! };
    });
    expect(orders).toHaveLength(3);
    first.kill();
    clock.advanceBy(2_000);
    const readsBefore = model.of('orders').length;
    const bench = restarted(orders, ground);
    return { ...bench, reads: () => model.of('orders').length - readsBefore };
  }

  it.each(['filled', 'cancelled'])('is not taken for an order of an hour ago that %s', (end) => {
    const bench = createAfterKill({ fate: { thereMs: 9_000 } }, (model) => {
      const old = model.placeForeign(TERMS);
      if (end === 'filled') model.fill(old);
      else model.end(old);
      old.record = { ...old.record, exchangeTime: old.record.exchangeTime - 3_600_000 };
      old.seen.splice(0, 9, { fromMs: 0, record: old.record });
    });
    bench.clock.advanceBy(4_000);
    expect(bench.orders.unknownCount).toBe(3);
    bench.clock.advanceBy(20_000);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
    expect(bench.ofKind('fill')).toEqual([]);
  });

  it('is not settled by one that ended unfilled, though it is younger', () => {
    const bench = createAfterKill({ fate: { loss: 'lost' } }, () => {});
    bench.model.end(bench.model.placeForeign(TERMS));
    bench.clock.advanceBy(60_000);
    expect(bench.orders.unknownCount).toBe(3);
  });

  it('is looked for among the orders of some minutes, not all that there are', () => {
    const bench = createAfterKill({ fate: { loss: 'lost' } }, (model) => {
      for (let i = 0; i < 2_000; i++) {
        const { record, seen } = model.placeForeign({ ...TERMS, price: price(50) });
        const exchangeTime = record.exchangeTime - 3_600_000 + 1_000 * i;
        seen.push({ fromMs: 0, record: { ...record, exchangeTime, closed: true } });
      }
    });
    bench.clock.advanceBy(60_000);
    expect(bench.reads()).toBeLessThan(400);
    bench.clock.advanceBy(100_000);
    expect(bench.orders.unknownCount).toBe(0);
  });
});
