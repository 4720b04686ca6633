import { describe, expect, it } from 'vitest';
import { CODES, ExchangeFailure } from '../../../src/exchange/index.ts';
import { type Logger, silentLogger } from '../../../src/kernel/index.ts';
import { makePending } from '../../domain/fixture.ts';
import { amount, price } from '../exchange-model.ts';
import {
  type Bench,
  type BenchOptions,
  createBench,
  depthOf,
  MARKET,
  quotes,
  target,
} from '../fixture.ts';

function createQuoting(options: Parameters<typeof createBench>[0] = {}): Bench {
  const bench = createBench(options);
  bench.wish(quotes([100], [110]));
  bench.clock.advanceBy(50);
  return bench;
}

describe('the timed cancel', () => {
  it('is refreshed every 15 s while orders live, and published with its send time', () => {
    const bench = createQuoting();
    bench.clock.advanceBy(60_000);
    const sent = bench.ofKind('heartbeat').map(({ sentTime }) => sentTime - 1_700_000_000_000);
    expect(sent).toHaveLength(5);
    sent.slice(1).forEach((time, index) => {
      expect(time - sent[index]!).toBeGreaterThanOrEqual(15_000);
      expect(time - sent[index]!).toBeLessThan(16_100);
    });
    expect(bench.heartbeat.ageMs(MARKET.id)).toBeLessThan(15_100);
  });

  it('is refreshed as often while the only order is replaced again and again', () => {
    const bench = createBench();
    bench.model.fate = () => ({ thereMs: 200, backMs: 200 });
    for (let i = 0; i < 120; i++) {
      bench.wish(quotes([[100 + (i % 2), 1]]));
      bench.clock.advanceBy(1_000);
    }
    expect(bench.model.of('cancel').length).toBeGreaterThan(100);
    const calls = bench.model.of('cancelAllAfter').map(({ sentMs }) => sentMs);
    const spans = calls.slice(1).map((sentMs, index) => sentMs - calls[index]!);
    expect(spans).toHaveLength(8);
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...spans)).toBeLessThan(16_500);
    expect(bench.ofKind('lapse')).toEqual([]);
  });

  it('is left alone once nothing lives in the market', () => {
    const bench = createQuoting();
    bench.wish(quotes([]));
    bench.clock.advanceBy(120_000);
    expect(bench.model.of('cancelAllAfter')).toHaveLength(1);
    expect(bench.ofKind('lapse')).toEqual([]);
  });

  it('is called again soon when nobody knows whether it was armed', () => {
    const bench = createQuoting();
    let silent = true;
    bench.model.fate = (operation) =>
      operation === 'cancelAllAfter' && silent ? { loss: 'silent' } : {};
    bench.clock.advanceBy(30_000);
    expect(bench.model.of('cancelAllAfter').length).toBeGreaterThan(10);
    silent = false;
    bench.clock.advanceBy(2_000);
    expect(bench.heartbeat.ageMs(MARKET.id)).toBeLessThan(2_000);
    expect(bench.ofKind('lapse')).toEqual([]);
  });

  it('fires when the engine hangs: every order is unknown, and the switch is not held', () => {
    const bench = createQuoting({ lively: false });
    bench.executor.signOfLife();
    bench.clock.advanceBy(54_000);
    bench.model.fate = () => ({ loss: 'lost' });
    bench.clock.advanceBy(1_500);
    expect(bench.ofKind('lapse').map(({ market }) => market)).toEqual([MARKET.id]);
    expect(bench.live().map(({ status }) => status)).toEqual(['unknown', 'unknown']);
    bench.clock.advanceBy(10_000);
    expect(bench.model.open).toEqual([]);
  });
});

describe('the timed cancel, though nothing else wakes the executor,', () => {
  it('is called with an order that leaves on a push, where it was left alone until then', () => {
    const bench = createQuoting();
    bench.wish(quotes([100]));
    bench.clock.advanceBy(14_900 - bench.heartbeat.ageMs(MARKET.id));
    bench.model.fate = (operation) =>
      operation === 'cancelAllAfter' ? {} : { thereMs: 700, backMs: 3_000 };
    bench.wish(quotes([99]));
    bench.clock.advanceBy(1_000);
    const lastOf = (operation: 'place' | 'cancelAllAfter') =>
      bench.model
        .of(operation)
        .map(({ sentMs }) => sentMs)
        .at(-1)!;
    expect(bench.model.of('place')).toHaveLength(3);
    expect(lastOf('cancelAllAfter')).toBe(lastOf('place'));
  });

  it('has what it does not guard any more cancelled at its moment', () => {
    const bench = createQuoting({ lively: false });
    bench.executor.signOfLife();
    bench.clock.advanceBy(65_000);
    const [armed] = bench.model.of('cancelAllAfter');
    const cancels = bench.model.of('cancel').map(({ sentMs }) => sentMs - armed!.sentMs);
    expect(cancels).toEqual([60_000, 60_000]);
  });

  it('lapses where an order in doubt is all there may be, as it may arrive', () => {
    const bench = createBench();
    bench.model.fate = (operation) => (operation === 'cancelAllAfter' ? {} : { loss: 'lost' });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(1_000);
    bench.model.fate = () => ({ loss: 'lost' });
    bench.clock.advanceBy(60_000);
    expect(bench.ofKind('lapse')).toHaveLength(1);
  });

  it('lapses at its moment though its next call waits for a rate budget that is locked', () => {
    const bench = createQuoting();
    const endMs = bench.clock.now() - bench.heartbeat.ageMs(MARKET.id) + 55_000;
    bench.budget.locked();
    bench.clock.advanceBy(60_000);
    expect(bench.ofKind('lapse').map(({ time }) => time)).toEqual([endMs]);
  });
});

/**
 * Six quotes right after a lapse, of which pushes tell nothing, and what was learnt of them since:
 * pages of orders, readings of the market, lookups of single orders.
 */
function createLapsed() {
  // No regular reading comes between.
  const bench = createBench({ config: { reconcileMs: 600_000 } });
  const side = (sign: number) => [1, 2, 3].map((level) => [105 + 5 * sign * level, 1] as const);
  bench.wish(quotes(side(-1), side(1)));
  bench.clock.advanceBy(50);
  bench.model.pushDelayMs = undefined;
  bench.model.fate = (operation) => (operation === 'cancelAllAfter' ? { loss: 'silent' } : {});
  bench.clock.advanceBy(56_500);
  expect(bench.live().map(({ status }) => status)).toEqual(Array(6).fill('unknown'));
  bench.model.fate = () => ({});
  const learnt = () =>
    bench.events.slice(bench.events.findIndex(({ kind }) => kind === 'lapse')).flatMap((event) => {
      if (event.kind === 'reconciliation') return ['read'];
      if (event.kind !== 'request') return [];
      if (event.operation === 'queryOrders') return ['page'];
      return event.operation === 'queryOrder' ? ['looked up'] : [];
    });
  return { bench, learnt };
}

/** A market whose timed cancel is so old, and whose wish is gone. */
function createIdle(ageMs: number, config: NonNullable<BenchOptions['config']> = {}) {
  const bench = createBench({ config });
  const { clock, heartbeat, model } = bench;
  bench.wish(quotes([100]));
  clock.advanceBy(100);
  bench.wish(quotes([]));
  clock.advanceBy(ageMs - heartbeat.ageMs(MARKET.id));
  expect(heartbeat.ageMs(MARKET.id)).toBe(ageMs);
  const sinceMs = clock.now();
  /** When requests of that kind left, reckoned from now. */
  const leftMs = (operation: 'place' | 'cancelAllAfter') =>
    model.of(operation).flatMap(({ sentMs }) => (sentMs >= sinceMs ? [sentMs - sinceMs] : []));
  return { bench, leftMs };
}

describe('the timed cancel that fails', () => {
  it('is named once a minute while nobody confirms it, and at once after it was', () => {
    const told: number[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (_fields, text) => text.includes('not confirmed') && told.push(bench.clock.now()),
    };
    const bench = createBench({ logger });
    const beganMs = bench.clock.now();
    const fails = (lasts: boolean) => {
      bench.model.fate = (operation) =>
        lasts && operation === 'cancelAllAfter' ? { loss: 'lost' } : {};
    };
    fails(true);
    bench.wish(quotes([100]));
    bench.clock.advanceBy(90_000);
    expect(told).toHaveLength(2);
    expect(told[0]! - beganMs).toBeLessThan(10_000);
    fails(false);
    bench.clock.advanceBy(5_000);
    fails(true);
    bench.clock.advanceBy(20_000);
    expect(told).toHaveLength(3);
    expect(told[2]! - told[1]!).toBeLessThan(60_000);
  });
});

describe('the timed cancel, of which the exchange says no,', () => {
  it.each([
    ['is answered by a code', 'unknown', CODES.internal, false],
    ['is answered where it comes too fast', 'limited', undefined, false],
    ['is not answered where nobody knows', 'unknown', undefined, true],
    ['is not answered where it cannot leave', 'unsent', undefined, true],
  ] as const)('%s', (_what, kind, code, isUnanswered) => {
    const bench = createBench();
    const refusal = new ExchangeFailure(kind, 'Cannot', code === undefined ? {} : { code });
    bench.model.fate = (operation) => (operation === 'cancelAllAfter' ? { refusal } : {});
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    expect(bench.executor.heartbeatState(MARKET.id).isUnanswered).toBe(isUnanswered);
  });
});

describe('an order in a market whose timed cancel was armed a while ago', () => {
  it('leaves at once while that lasts for a refresh and its answer', () => {
    const { bench, leftMs } = createIdle(25_000);
    bench.wish(quotes([101]));
    expect(leftMs('place')).toEqual([0]);
    bench.clock.advanceBy(100);
    expect(leftMs('cancelAllAfter')).toEqual([0]);
  });

  it.each([25_001, 54_900])('waits for it to be armed anew where it is older: %i ms', (ageMs) => {
    const { bench, leftMs } = createIdle(ageMs);
    bench.model.fate = (operation) => (operation === 'cancelAllAfter' ? { backMs: 14_000 } : {});
    bench.wish(quotes([101]));
    bench.clock.advanceBy(13_999);
    expect(leftMs('place')).toEqual([]);
    bench.clock.advanceBy(60_000);
    expect(leftMs('place')).toEqual([14_005]);
    expect(bench.ofKind('lapse')).toEqual([]);
    expect(bench.live().map(({ status }) => status)).toEqual(['open']);
  });

  it('leaves at once at any age that it has where it is kept alive, however late by choice', () => {
    const { bench, leftMs } = createIdle(39_900, { heartbeat: { refreshMs: 39_000 } });
    bench.wish(quotes([101]));
    expect(leftMs('place')).toEqual([0]);
  });

  it('does not end the pause of what risk refuses there', () => {
    const bench = createBench({
      refuse: () => ({ code: 'collar', limit: '1', observed: '2', scope: 'market' }),
    });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(32_000);
    const { length } = bench.drafts;
    expect(bench.model.of('cancelAllAfter')).toHaveLength(2);
    bench.clock.advanceBy(29_000);
    expect(bench.drafts).toHaveLength(length);
  });
});

describe('an order whose answer is lost and that nothing wishes any more', () => {
  /** The request is under way for so long, and lookups fail. */
  function createDropped(thereMs: number, { batch = false } = {}): Bench {
    const bench = createBench({ config: { batch } });
    const { model, clock } = bench;
    model.fate = (operation) => {
      if (operation === 'place' || operation === 'placeBatch') return { thereMs, loss: 'silent' };
      return operation === 'order' || operation === 'orders' ? { loss: 'lost' } : {};
    };
    model.pushDelayMs = undefined;
    bench.wish(quotes([100, 99], [], { postOnly: false }));
    clock.advanceBy(100);
    bench.wish(quotes([]));
    return bench;
  }

  it.each([false, true])('never rests without a timed cancel that is due (batch: %s)', (batch) => {
    const bench = createDropped(130_000, { batch });
    bench.clock.advanceBy(130_100);
    expect(bench.model.open).toHaveLength(2);
    expect(bench.ofKind('lapse')).toEqual([]);
    bench.kill();
    bench.clock.advanceBy(60_000);
    expect(bench.model.open).toEqual([]);
  });

  it('is guarded until it cannot be under way any more, and then left to the timed cancel', () => {
    const bench = createDropped(20_000);
    const startMs = bench.clock.now();
    bench.clock.advanceBy(300_000);
    const last = bench.model.of('cancelAllAfter').at(-1)!.sentMs - startMs;
    expect(last).toBeGreaterThan(120_000);
    expect(last).toBeLessThan(138_000);
    expect(bench.model.open).toEqual([]);
  });

  it('is guarded no longer once it was found', () => {
    const bench = createDropped(20_000);
    bench.clock.advanceBy(30_000);
    const refusal = new ExchangeFailure('rejected', 'market paused', { code: 1002 });
    bench.model.fate = (operation) => (operation === 'cancel' ? { refusal } : {});
    bench.clock.advanceBy(10_000);
    expect(bench.live().map(({ status }) => status)).not.toContain('unknown');
    const { length } = bench.model.of('cancelAllAfter');
    bench.clock.advanceBy(30_000);
    expect(bench.model.of('cancelAllAfter')).toHaveLength(length);
  });
});

describe('an order of a batch that stays in doubt', () => {
  it('makes no lapse of the pauses between others', () => {
    const bench = createBench();
    const { clock, model } = bench;
    const terms = { side: 'buy', type: 'limit', price: price(90), amount: amount(1) } as const;
    model.placeForeign({ market: MARKET.id, ...terms });
    model.onPlaced = ({ record }) => Number(record.amount);
    bench.depths.set(MARKET.id, depthOf(99, 100));
    const startMs = clock.now();
    const word = { status: 'unknown', reason: 'lost', evidence: 'journal' } as const;
    const doubtful = {
      ...makePending({ ...terms, strategy: 'old', tag: `quotes/bid/0/batch/${startMs + 60_000}` }),
      ...{ ...word, createdTime: startMs - 60_000, unknownSince: startMs - 60_000 },
    };
    bench.restore({ orders: [doubtful] });
    bench.executor.reconcile('start');
    clock.advanceBy(300_000);
    for (const wished of [1, 0, 1, 0]) {
      bench.wish(target(wished));
      clock.advanceBy(70_000);
    }
    expect(bench.state(doubtful.clientOrderId).status).toBe('unknown');
    expect(model.of('place')).toHaveLength(4);
    expect(bench.ofKind('lapse')).toEqual([]);
  });
});

describe('after a lapse the timed cancel', () => {
  it('is armed anew, then the truth is read, then quoting goes on', () => {
    const bench = createQuoting();
    let lost = true;
    bench.model.fate = () => (lost ? { loss: 'lost' } : {});
    bench.clock.advanceBy(80_000);
    expect(bench.model.open).toEqual([]);
    expect(bench.ofKind('lapse').length).toBeGreaterThan(0);
    lost = false;
    const before = bench.events.length;
    bench.clock.advanceBy(10_000);
    const kinds = bench.events.slice(before).flatMap((event) => {
      if (event.kind === 'heartbeat') return ['armed'];
      if (event.kind === 'reconciliation') return event.reason === 'lapse' ? ['read'] : [];
      return event.kind === 'order' && event.order.status === 'pending' ? ['placed'] : [];
    });
    expect(kinds.slice(0, 4)).toEqual(['armed', 'read', 'placed', 'placed']);
    expect(bench.model.open).toHaveLength(2);
    expect(bench.live().every(({ status }) => status === 'open')).toBe(true);
  });

  it('keeps orders that outlived the lapse in their place', () => {
    const bench = createQuoting();
    let lost = true;
    bench.model.fate = (operation) =>
      operation === 'cancelAllAfter' && lost ? { loss: 'silent' } : {};
    bench.clock.advanceBy(56_500);
    expect(bench.ofKind('lapse')).toHaveLength(1);
    lost = false;
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('place')).toHaveLength(2);
    expect(bench.model.open).toHaveLength(2);
    expect(bench.live().every(({ status }) => status === 'open')).toBe(true);
  });

  it.each([
    ['outlived it', 0],
    ['the exchange cancelled', 6],
  ])(
    'is followed by one read, and no lookup of the orders that %s: it tells of all',
    (_, ended) => {
      const { bench, learnt } = createLapsed();
      for (const order of bench.model.open.slice(0, ended)) bench.model.end(order);
      bench.clock.advanceBy(10_000);
      expect(learnt()).toEqual(['page', 'page', 'read']);
      expect(bench.model.of('place')).toHaveLength(6 + ended);
      expect(bench.live().map(({ status }) => status)).toEqual(Array(6).fill('open'));
    },
  );

  it('has orders of which the read tells nothing looked up by themselves, after it', () => {
    const { bench, learnt } = createLapsed();
    for (const order of bench.model.open) bench.model.end(order);
    // Lists leave two of them out.
    const hidden = bench.model.orders.slice(0, 2).map(({ record }) => record.exchangeOrderId);
    bench.model.lists = ({ exchangeOrderId }) => !hidden.includes(exchangeOrderId);
    bench.clock.advanceBy(10_000);
    expect(learnt()).toEqual(['page', 'page', 'read', 'looked up', 'looked up']);
    expect(bench.live().map(({ status }) => status)).toEqual(Array(6).fill('open'));
  });

  it('that cannot be armed anew has the orders cancelled', () => {
    const bench = createQuoting();
    bench.model.fate = (operation) => (operation === 'cancelAllAfter' ? { loss: 'silent' } : {});
    bench.clock.advanceBy(64_000);
    expect(bench.model.of('cancel').length).toBeGreaterThan(0);
    bench.clock.advanceBy(5_000);
    expect(bench.live()).toEqual([]);
    expect(bench.model.open).toEqual([]);
  });
});

describe('an exchange that does not answer any more', () => {
  it('is named with what rests there, and when that goes by itself, ahead of the lapse and at it', () => {
    const told: string[] = [];
    const info: string[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (_fields, text) => void (text.includes('timed cancel') && told.push(text)),
      info: (_fields, text) => void info.push(text),
    };
    const bench = createQuoting({ logger, startMs: Date.UTC(2024, 0, 1) });
    bench.model.fate = () => ({ loss: 'lost' });
    bench.clock.advanceBy(56_000);
    const rests =
      '2 orders rest in btc_usdt, neither seen nor changed while the exchange does not answer; ' +
      'the exchange cancels them at 00:01:00 UTC if it hears nothing';
    expect(told).toEqual([
      `the timed cancel was not confirmed: ${rests}`,
      `the timed cancel has lapsed: ${rests}`,
    ]);
    bench.model.orders.splice(0);
    bench.clock.advanceBy(20_000);
    bench.model.fate = () => ({});
    bench.clock.advanceBy(60_000);
    expect(info.filter((text) => text.startsWith('what became'))).toEqual([
      'what became of 2 orders of btc_usdt since the heartbeat lapsed: 2 not found any more',
    ]);
  });
});

describe('after a lapse, orders that rest behind a page of closed ones', () => {
  it('are looked up one by one: the reading ends there', () => {
    const { bench, learnt } = createLapsed();
    const { market, side, type, price, amount } = bench.model.orders[0]!.record;
    for (let i = 0; i < 12; i++) {
      bench.model.end(bench.model.placeForeign({ market, side, type, price, amount }));
    }
    bench.clock.advanceBy(10_000);
    expect(learnt().toSorted()).toEqual([
      ...Array(3).fill('looked up'),
      ...Array(2).fill('page'),
      'read',
    ]);
    expect(bench.live().map(({ status }) => status)).toEqual(Array(6).fill('open'));
    expect(bench.model.open).toHaveLength(6);
  });
});
