import { describe, expect, it } from 'vitest';
import type { Amount } from '../../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../../src/exchange/index.ts';
import type { Fate, Operation } from '../exchange-model.ts';
import { type Bench, createBench, quotes, settle } from '../fixture.ts';
import { SetClock } from '../set-clock.ts';

/** This fate for the operation's first request, a good one for all others. */
function once(operation: Operation, fate: Fate) {
  let used = false;
  return (asked: Operation): Fate => {
    if (asked !== operation || used) return {};
    used = true;
    return fate;
  };
}

const firstId = (bench: Bench) => bench.drafts[0]!.clientOrderId;

/** One order that rests. */
function createResting(): Bench {
  const bench = createBench();
  bench.wish(quotes([100]));
  settle(bench);
  return bench;
}

describe('an order with unknown outcome', () => {
  it('is looked up after the read lag and found', () => {
    const bench = createBench();
    bench.model.fate = once('place', { loss: 'silent' });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(1_900);
    expect(bench.model.of('order')).toHaveLength(0);
    bench.clock.advanceBy(1_000);
    expect(bench.statuses(firstId(bench))).toEqual(['pending', 'unknown', 'open']);
    expect(bench.model.of('place')).toHaveLength(1);
  });

  it('is asked about once, also where the answer sets off a cancel', () => {
    const bench = createBench();
    bench.model.fate = once('place', { loss: 'silent' });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(1_000);
    bench.wish(quotes([99]));
    bench.clock.advanceBy(3_000);
    expect(bench.statuses(firstId(bench))).toContain('cancelling');
    expect(bench.model.of('order')).toHaveLength(1);
  });

  it('is absent only after lookups for two minutes; the next order has a new id', () => {
    const bench = createBench();
    bench.model.fate = once('place', { loss: 'lost' });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(121_900);
    expect(bench.state(firstId(bench)).status).toBe('unknown');
    expect(bench.model.of('order').length).toBeGreaterThanOrEqual(15);
    expect(bench.model.of('place')).toHaveLength(1);
    bench.clock.advanceBy(12_000);
    expect(bench.state(firstId(bench))).toMatchObject({
      ...{ status: 'rejected', reason: 'proven absent', evidence: 'query' },
    });
    expect(bench.model.open).toHaveLength(1);
    expect(bench.model.open[0]!.clientOrderId).not.toBe(firstId(bench));
  });

  it('is found however long reads lag within the bound', () => {
    const bench = createBench();
    bench.model.readLagMs = 7_000;
    bench.model.fate = once('place', { loss: 'silent' });
    bench.model.pushDelayMs = undefined;
    bench.wish(quotes([100]));
    bench.clock.advanceBy(20_000);
    expect(bench.model.orders).toHaveLength(1);
    expect(bench.state(firstId(bench)).status).toBe('open');
  });

  it('takes up its slot: a wish repeated meanwhile places nothing', () => {
    const bench = createBench();
    bench.model.fate = once('place', { loss: 'silent' });
    for (let i = 0; i < 150; i++) {
      bench.wish(quotes([100]));
      bench.clock.advanceBy(10);
    }
    expect(bench.model.of('place')).toHaveLength(1);
  });
});

describe('an answer to a lookup that was given up', () => {
  it('says nothing of a cancel that left since', () => {
    const bench = createBench({ config: { answerTimeoutMs: 5_000 } });
    bench.model.pushDelayMs = undefined;
    const lookup = once('order', { backMs: 12_000 });
    const placed = once('place', { loss: 'silent' });
    bench.model.fate = (operation) => {
      if (operation === 'cancel') return { loss: 'silent' };
      return operation === 'order' ? lookup(operation) : placed(operation);
    };
    bench.wish(quotes([100]));
    bench.clock.advanceBy(13_000);
    expect(bench.state(firstId(bench)).status).toBe('open');
    expect(bench.model.of('order')).toHaveLength(2);
    bench.wish(quotes([]));
    bench.clock.advanceBy(15_000);
    expect(bench.statuses(firstId(bench)).slice(3)).toEqual(['cancelling', 'cancelled']);
    expect(bench.model.of('cancel')).toHaveLength(1);
  });
});

describe('an order whose answer is odd or late', () => {
  it('counts a lookup that failed for no lookup', () => {
    const bench = createBench();
    bench.model.fate = (operation) => {
      if (operation === 'place') return { loss: 'lost' };
      return operation === 'order' ? { loss: 'silent' } : {};
    };
    bench.wish(quotes([100]));
    bench.clock.advanceBy(200_000);
    expect(bench.state(firstId(bench)).status).toBe('unknown');
  });

  it('is unknown when the exchange calls its new id a duplicate', () => {
    const bench = createBench();
    const code = CODES.duplicateClientOrderId;
    const refusal = new ExchangeFailure('rejected', 'Cannot: duplicate', { code });
    bench.model.fate = once('place', { refusal });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(100);
    expect(bench.state(firstId(bench)).status).toBe('unknown');
  });

  it('counts as unknown when no answer comes at all, and takes a late one', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.model.fate = once('place', { backMs: 15_500 });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(15_300);
    expect(bench.state(firstId(bench)).status).toBe('unknown');
    bench.clock.advanceBy(400);
    expect(bench.state(firstId(bench)).status).toBe('open');
    expect(bench.model.of('order')).toHaveLength(0);
  });

  it('takes up a fill that was pushed before the answer', () => {
    const bench = createBench();
    bench.model.fate = once('place', { backMs: 400 });
    bench.model.onPlaced = () => 0.3;
    bench.wish(quotes([100]));
    bench.clock.advanceBy(600);
    expect(bench.state(firstId(bench))).toMatchObject({ status: 'open', filledAmount: 0.3 });
    expect(bench.held()).toBe(0.3);
  });
});

describe('an order of a batch', () => {
  const wish = quotes([100, 100, [99, 2]], [105], { postOnly: false });

  it('goes with its like in one request, the lone one by itself', () => {
    const bench = createBench({ config: { batch: true } });
    bench.wish(wish);
    settle(bench);
    expect(bench.model.of('placeBatch')).toHaveLength(1);
    expect(bench.model.of('place')).toHaveLength(1);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open', 'open']);
  });

  it('is found by its terms when the answer was lost, each order once', () => {
    const bench = createBench({ config: { batch: true } });
    bench.model.fate = once('placeBatch', { loss: 'silent' });
    bench.wish(wish);
    bench.clock.advanceBy(5_000);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open', 'open', 'open']);
    const ids = bench
      .live()
      .map((order) => ('exchangeOrderId' in order ? order.exchangeOrderId : ''));
    expect(new Set(ids).size).toBe(4);
    expect(bench.model.of('order')).toHaveLength(0);
    expect(bench.model.orders).toHaveLength(4);
  });

  it('is absent when no page shows it, and placed anew', () => {
    const bench = createBench({ config: { batch: true } });
    bench.model.fate = once('placeBatch', { loss: 'lost' });
    bench.wish(wish);
    bench.clock.advanceBy(121_000);
    expect(bench.orders.unknownCount).toBe(3);
    bench.clock.advanceBy(12_000);
    expect(bench.orders.unknownCount).toBe(0);
    expect(bench.model.open).toHaveLength(4);
  });
});

describe('a cancel', () => {
  it('closes the order with the totals of its answer', () => {
    const bench = createResting();
    bench.model.pushDelayMs = undefined;
    bench.wish(quotes([]));
    settle(bench);
    expect(bench.state(firstId(bench))).toMatchObject({ status: 'cancelled', evidence: 'answer' });
  });

  it('of a filled order is followed by a query, which tells the fill', () => {
    const bench = createResting();
    bench.model.pushDelayMs = undefined;
    bench.model.fill(bench.model.orders[0]!);
    bench.wish(quotes([]));
    settle(bench);
    expect(bench.state(firstId(bench))).toMatchObject({ status: 'filled', evidence: 'query' });
  });

  it('without totals is followed by a query', () => {
    const bench = createResting();
    bench.model.pushDelayMs = undefined;
    bench.model.cancelsWithTotals = false;
    bench.wish(quotes([]));
    bench.clock.advanceBy(1_000);
    expect(bench.state(firstId(bench)).status).toBe('cancelling');
    bench.clock.advanceBy(2_000);
    expect(bench.state(firstId(bench))).toMatchObject({ status: 'cancelled', evidence: 'query' });
    expect(bench.model.of('cancel')).toHaveLength(1);
  });

  it('with totals that cannot be those of the order is followed by a query', () => {
    const bench = createResting();
    bench.model.pushDelayMs = undefined;
    const order = bench.model.orders[0]!;
    const { filledAmount } = order.record;
    order.record = { ...order.record, filledAmount: 1_000 as Amount };
    bench.wish(quotes([]));
    bench.clock.advanceBy(500);
    expect(bench.state(firstId(bench)).status).toBe('cancelling');
    const record = { ...order.record, filledAmount };
    order.seen.push({ fromMs: bench.clock.now(), record });
    bench.clock.advanceBy(3_000);
    expect(bench.state(firstId(bench))).toMatchObject({ status: 'cancelled', evidence: 'query' });
    expect(bench.model.of('cancel')).toHaveLength(1);
  });

  it('that was answered what another one is leaves again once a read shows the order resting', () => {
    const bench = createResting();
    const { model, clock } = bench;
    const order = model.orders[0]!;
    const { record } = order;
    order.record = { ...record, filledAmount: 1_000 as Amount };
    model.carriesOutCancels = false;
    bench.wish(quotes([]));
    clock.advanceBy(500);
    order.record = record;
    model.carriesOutCancels = true;
    clock.advanceBy(10_000);
    expect(model.of('cancel')).toHaveLength(2);
    expect([model.open, bench.live()]).toEqual([[], []]);
  });

  it('is not taken for undone by a read that lags', () => {
    const bench = createResting();
    bench.model.pushDelayMs = undefined;
    bench.model.readLagMs = 1_900;
    bench.model.cancelsWithTotals = false;
    bench.wish(quotes([]));
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('cancel')).toHaveLength(1);
    expect(bench.live()).toEqual([]);
  });
});

describe('a cancel just before the date is set forth', () => {
  const reads = {
    'a lookup': () => {},
    'a reading': ({ executor }: Bench) => void executor.reconcile('asked for'),
  };

  it.each(Object.keys(reads) as (keyof typeof reads)[])('is not undone by %s that lags', (what) => {
    const clock = new SetClock(1_700_000_000_000);
    const bench = createBench({ clock });
    bench.model.pushDelayMs = undefined;
    bench.model.readLagMs = 1_900;
    bench.wish(quotes([100]));
    clock.advanceBy(3_000);
    bench.wish(quotes([]));
    clock.advanceBy(100);
    clock.aheadMs = 10_000;
    bench.executor.signOfLife();
    reads[what](bench);
    clock.advanceBy(10_000);
    expect(bench.model.of('order').length + bench.model.of('orders').length).toBeGreaterThan(0);
    expect(bench.statuses(firstId(bench)).slice(-2)).toEqual(['cancelling', 'cancelled']);
    expect(bench.model.of('cancel')).toHaveLength(1);
  });
});

describe('a cancel of an order that is about to be looked up', () => {
  it('is not taken for undone by that lookup, which may lag behind it', () => {
    const bench = createBench({ config: { answerTimeoutMs: 500 } });
    const { model } = bench;
    model.fate = once('place', { backMs: 1_000 });
    model.pushDelayMs = undefined;
    model.readLagMs = 1_900;
    model.cancelsWithTotals = false;
    bench.wish(quotes([100]));
    bench.clock.advanceBy(2_000);
    expect(bench.statuses(firstId(bench))).toEqual(['pending', 'unknown', 'open']);
    bench.wish(quotes([]));
    bench.clock.advanceBy(10_000);
    expect(model.of('order').length).toBeGreaterThan(1);
    expect(model.of('cancel')).toHaveLength(1);
    expect(bench.live()).toEqual([]);
  });
});

describe('a cancel without an answer', () => {
  it('that was lost is sent again once a read shows the order resting', () => {
    const bench = createResting();
    bench.model.fate = once('cancel', { loss: 'lost' });
    bench.wish(quotes([]));
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('cancel')).toHaveLength(2);
    expect(bench.model.open).toEqual([]);
    expect(bench.live()).toEqual([]);
  });

  it('that was lost is sent again once a reading of the market shows the order resting', () => {
    const bench = createResting();
    const lost = ['cancel', 'order'];
    bench.model.fate = (operation) => (lost.includes(operation) ? { loss: 'lost' } : {});
    bench.wish(quotes([]));
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('cancel')).toHaveLength(1);
    lost.shift();
    bench.executor.reconcile('asked for');
    settle(bench);
    expect(bench.model.of('cancel')).toHaveLength(2);
    expect(bench.live()).toEqual([]);
  });

  it('that took effect without an answer is found out', () => {
    const bench = createResting();
    bench.model.pushDelayMs = undefined;
    bench.model.fate = once('cancel', { loss: 'silent' });
    bench.wish(quotes([]));
    bench.clock.advanceBy(10_000);
    expect(bench.live()).toEqual([]);
  });
});

describe('a push', () => {
  it('that ends an order unasked is confirmed by a read', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.model.end(bench.model.orders[0]!);
    bench.clock.advanceBy(2_500);
    expect(bench.model.of('order')).toHaveLength(1);
  });

  it('that ends an order unasked is confirmed by no reading that began too soon after it', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.model.end(bench.model.orders[0]!);
    bench.clock.advanceBy(500);
    bench.executor.reconcile('asked for');
    bench.clock.advanceBy(2_000);
    expect(bench.model.of('order')).toHaveLength(1);
  });

  it('that fills an order is enough', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.model.fill(bench.model.orders[0]!);
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('order')).toHaveLength(0);
  });
});
