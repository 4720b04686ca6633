import { describe, expect, it } from 'vitest';
import { keptLines } from '../../kernel/fixture.ts';
import { createModel, type Past, TERMS, WISH } from '../batches.ts';
import { amount, price } from '../exchange-model.ts';
import { type Bench, createBench, MARKET, quotes, restarted } from '../fixture.ts';

const CLOCKS = [
  ['ten minutes behind', -600_000],
  ['a minute behind', -60_000],
  ['six seconds behind', -6_000],
  ['a minute ahead', 60_000],
] as const;

/** A bench that has read what there is, and then sent a batch. */
function createSent(past: Past) {
  const bench = createBench(createModel(past));
  bench.executor.reconcile('start');
  bench.clock.advanceBy(1_000);
  bench.wish(WISH);
  bench.clock.advanceBy(50);
  return bench;
}

/** The run after one that was killed while its batch was under way. */
function killedUnanswered(first: Bench, past: ReturnType<typeof createModel>): Bench {
  first.wish(WISH);
  past.clock.advanceBy(12);
  const orders = first.live();
  expect(orders.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  first.kill();
  past.clock.advanceBy(2_000);
  return restarted(orders, past);
}

describe("a batch whose answer was lost, where the exchange's clock is", () => {
  it.each(CLOCKS)('%s, is found and not sent again', (_, clockAheadMs) => {
    const bench = createSent({ clockAheadMs, fate: { loss: 'silent' } });
    bench.clock.advanceBy(5_000);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
    bench.clock.advanceBy(175_000);
    expect(bench.model.of('placeBatch')).toHaveLength(1);
    expect(bench.model.open).toHaveLength(3);
  });

  it.each(CLOCKS)('%s, is not taken for an older order of its terms', (_, clockAheadMs) => {
    const bench = createSent({ clockAheadMs, fate: { loss: 'lost' }, former: 12 });
    bench.clock.advanceBy(60_000);
    expect(bench.orders.unknownCount).toBe(3);
    expect(bench.model.of('orders').length).toBeLessThan(40);
  });

  it.each(CLOCKS)('%s, is found by the run after a kill', (_, clockAheadMs) => {
    const past = createModel({ clockAheadMs, fate: { loss: 'silent' } });
    const first = createBench({ ...past, idPrefix: 'first' });
    first.executor.reconcile('start');
    past.clock.advanceBy(1_000);
    const second = killedUnanswered(first, past);
    second.wish(WISH);
    past.clock.advanceBy(180_000);
    expect(past.model.of('placeBatch')).toHaveLength(1);
    expect(second.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
  });
});

describe('a batch at an exchange whose lists leave out what is over', () => {
  it.each([0.5, 1])('is known by the pushes that told of it, filled to %s of an order', (part) => {
    const bench = createSent({ fate: { loss: 'silent', backMs: 1_000 } });
    const { clock, model } = bench;
    model.lists = ({ closed }) => !closed;
    const [, order] = model.orders;
    model.fill(order!, part);
    model.end(order!);
    model.pushes.next(order!.record);
    clock.advanceBy(5_000);
    expect(bench.ofKind('fill').map(({ fill }) => fill.amount)).toEqual([part]);
    clock.advanceBy(180_000);
    expect(bench.orders.unknownCount).toBe(0);
  });

  it('is on disk with its ids as soon as they are answered: no id of ours finds it', () => {
    const bench = createSent({});
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
    const written = bench.events.slice(0, bench.written[0] ?? 0);
    const ids = written.flatMap((event) => event.kind === 'order' && event.order.exchangeOrderId);
    expect(ids.filter(Boolean)).toHaveLength(3);
  });

  it('goes on where the disk fails then: the next order halts trading', () => {
    const bench = createBench(createModel({}));
    bench.journal.commit = () => {
      throw new Error('the disk is full');
    };
    bench.wish(WISH);
    bench.clock.advanceBy(1_000);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
  });
});

describe('a batch that got lost with its run', () => {
  it('is not taken for an order of its terms that filled long before', () => {
    const past = createModel({ clockAheadMs: 60_000, fate: { loss: 'lost' }, former: 0 });
    const first = createBench({ ...past, idPrefix: 'first' });
    const former = first.model.placeForeign(TERMS);
    first.model.fill(former);
    first.executor.reconcile('start');
    past.clock.advanceBy(120_000);
    const second = killedUnanswered(first, past);
    past.clock.advanceBy(60_000);
    expect(second.orders.unknownCount).toBe(3);
    expect(second.ofKind('fill')).toEqual([]);
  });

  it('is not taken for an order of its terms that an earlier run knew', () => {
    const past = createModel({ fate: { loss: 'lost' }, former: 0 });
    const first = createBench({ ...past, idPrefix: 'first' });
    const former = first.model.placeForeign(TERMS);
    first.model.fill(former);
    past.clock.advanceBy(1_000);
    first.wish(WISH);
    past.clock.advanceBy(12);
    const orders = first.live();
    first.kill();
    past.clock.advanceBy(2_000);
    const second = createBench({ ...past, idPrefix: 'second' });
    const pastExchangeOrderIds = [former.record.exchangeOrderId];
    second.restore({ orders, pastExchangeOrderIds });
    past.clock.advanceBy(180_000);
    expect(second.orders.unknownCount).toBe(0);
    expect(second.ofKind('fill')).toEqual([]);
  });
});

describe('a batch whose answer was lost, where lists are', () => {
  it.each([
    ['newest first', true],
    ['oldest first', false],
  ])('%s, is found behind a page of older ones', (_, listsNewestFirst) => {
    const past = createModel({ fate: { loss: 'silent' }, former: 25 });
    past.model.listsNewestFirst = listsNewestFirst;
    const bench = createBench(past);
    bench.executor.reconcile('start');
    bench.clock.advanceBy(1_000);
    bench.wish(WISH);
    for (let i = 0; i < 12; i++) bench.model.placeForeign({ ...TERMS, price: price(50) });
    bench.clock.advanceBy(180_000);
    expect(bench.model.of('placeBatch')).toHaveLength(1);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open']);
  });
});

describe('a batch that the exchange took in part', () => {
  /** A bench whose batch of three lacks the second, and was answered so. */
  function createPart(options: { readonly readLagMs?: number } = {}) {
    const bench = createBench({ config: { batch: true, retriesMax: 0 } });
    bench.model.pushDelayMs = undefined;
    bench.model.readLagMs = options.readLagMs ?? 0;
    bench.model.takes = (terms) => terms.price !== 99;
    bench.wish(WISH);
    bench.clock.advanceBy(50);
    return bench;
  }

  const statuses = (bench: ReturnType<typeof createPart>) =>
    bench.drafts.map(({ clientOrderId }) => bench.state(clientOrderId!).status);

  it('is looked up once, and what it lacks is refused in the words of the exchange', () => {
    const bench = createPart();
    expect(statuses(bench)).toEqual(['unknown', 'unknown', 'unknown']);
    bench.clock.advanceBy(2_500);
    expect(statuses(bench)).toEqual(['open', 'rejected', 'open']);
    expect(bench.state(bench.drafts[1]!.clientOrderId!)).toMatchObject({
      reason: 'the exchange took 2 of a batch of 3 orders: a part is refused',
    });
    expect(bench.model.of('orders')).toHaveLength(1);
  });

  it('is not judged by a read that does not show what was taken', () => {
    const bench = createPart({ readLagMs: 5_000 });
    bench.clock.advanceBy(4_500);
    expect(statuses(bench)).toEqual(['unknown', 'unknown', 'unknown']);
    bench.clock.advanceBy(4_000);
    expect(statuses(bench)).toEqual(['open', 'rejected', 'open']);
  });

  it('is not judged by a read that shows a part of what was taken', () => {
    const bench = createPart();
    bench.model.lists = (record) => record.price !== 98;
    bench.clock.advanceBy(4_500);
    expect(statuses(bench)).toEqual(['open', 'unknown', 'unknown']);
    bench.model.lists = () => true;
    bench.clock.advanceBy(4_000);
    expect(statuses(bench)).toEqual(['open', 'rejected', 'open']);
  });

  it('is not found twice in one order, though two of it are alike', () => {
    const bench = createBench({ config: { batch: true, retriesMax: 0 } });
    bench.model.pushDelayMs = undefined;
    bench.model.fate = (operation) => (operation === 'placeBatch' ? { loss: 'silent' } : {});
    let room = 1;
    bench.model.takes = () => room-- > 0;
    bench.wish(quotes([100, 100], [], { postOnly: false }));
    bench.clock.advanceBy(150_000);
    expect(statuses(bench)).toEqual(['rejected', 'open']);
  });

  it('is searched for two minutes where the answer names none', () => {
    const bench = createBench({ config: { batch: true, retriesMax: 0 } });
    bench.model.takes = () => false;
    bench.wish(WISH);
    bench.clock.advanceBy(121_000);
    expect(statuses(bench)).toEqual(['unknown', 'unknown', 'unknown']);
    bench.clock.advanceBy(12_000);
    expect(statuses(bench)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});

describe('a batch that got lost, beside an order that cannot be read', () => {
  /** Whether the order was there before the batch left or came after it. */
  const createBeside = (when: 'before' | 'after') => {
    const { lines: said, logger } = keptLines('error');
    const bench = createBench({ ...createModel({ fate: { loss: 'lost' } }), logger });
    const { clock, model } = bench;
    const place = () => {
      const { record } = model.placeForeign({ ...TERMS, price: price(50) });
      model.isLegible = ({ exchangeOrderId }) => exchangeOrderId !== record.exchangeOrderId;
    };
    if (when === 'before') place();
    bench.executor.reconcile('start');
    clock.advanceBy(1_000);
    bench.wish(WISH);
    clock.advanceBy(50);
    if (when === 'after') place();
    clock.advanceBy(180_000);
    return { bench, said };
  };

  it('is absent where that was heard of before it left', () => {
    const { bench, said } = createBeside('before');
    expect(bench.statuses('run1x1')).toEqual(['pending', 'unknown', 'rejected']);
    expect(said).toEqual([]);
  });

  it('stays unknown where it may be that one, and the log says so', () => {
    const { bench, said } = createBeside('after');
    expect(bench.orders.unknownCount).toBe(3);
    expect(bench.model.of('placeBatch')).toHaveLength(1);
    expect(said).toEqual(
      Array(3).fill(
        'an order sent in a batch may be one of these orders or none: its outcome stays unknown',
      ),
    );
  });
});

/** A bench whose strategies wish the same terms in one market, one of them in a batch; no answer comes. */
function createMixed() {
  const bench = createBench({ config: { batch: true } });
  const { clock, model } = bench;
  bench.wish(quotes([80], [], { postOnly: false }), 'early');
  clock.advanceBy(1_000);
  model.readLagMs = 300;
  model.fate = (operation) => (operation.startsWith('place') ? { loss: 'silent' } : {});
  const bids = [
    [91, 1],
    [90, 1],
  ] as const;
  bench.wish(quotes(bids, [], { postOnly: false }), 'batched');
  const single = { kind: 'order', market: MARKET.id, side: 'buy', type: 'limit' } as const;
  bench.wish({ ...single, price: price(90), amount: amount(1), tag: 'single' }, 'single');
  clock.advanceBy(100);
  // The lookups by id take longer than the reading of the market does.
  model.fate = (operation) => (operation === 'order' ? { backMs: 1_500 } : {});
  return bench;
}

describe('a batch beside a single order of its terms, the answers to both lost', () => {
  it('leaves to the single one the order that its id will name', () => {
    const bench = createMixed();
    const { model } = bench;
    const named = model.orders.findLast(({ clientOrderId }) => clientOrderId !== undefined)!;
    model.fill(named, 0.8);
    bench.clock.advanceBy(30_000);
    expect(bench.held('single')).toBe(0.8);
    expect(bench.orders.unknownCount).toBe(0);
    const ids = bench.live().map((order) => order.exchangeOrderId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(bench.halts).toEqual([]);
    expect(model.of('cancel')).toEqual([]);
  });
});
