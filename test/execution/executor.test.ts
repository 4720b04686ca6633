import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import {
  type Bench,
  createBench,
  depthOf,
  MARKET,
  order,
  quotes,
  SECOND_MARKET,
  settle,
  target,
} from './fixture.ts';

/** Refuses every order as long as `on` is set. */
function createSwitch() {
  const gate = { on: true, observed: '7' };
  const refuse = () => {
    if (!gate.on) return undefined;
    return { code: 'orderSize', limit: '5', observed: gate.observed, scope: 'order' } as const;
  };
  return { gate, refuse };
}

describe('Executor and risk', () => {
  it.each([1, 600])(
    'says a refusal once and does not spin, however often it is wished: %d',
    (times) => {
      const { refuse } = createSwitch();
      const bench = createBench({ refuse });
      for (let time = 0; time < times; time++) {
        bench.wish(quotes([100]));
        bench.clock.advanceBy(60_000 / times);
      }
      expect(bench.ofKind('refusal')).toHaveLength(1);
      expect(bench.drafts.length).toBeLessThan(10);
      expect(bench.drafts.length).toBeGreaterThan(3);
      expect(bench.model.of('place')).toHaveLength(0);
    },
  );

  it('tries again when something changed, at the earliest after the pause', () => {
    const { gate, refuse } = createSwitch();
    const bench = createBench({ refuse });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(20_000);
    gate.on = false;
    const time = bench.clock.now();
    bench.bus.publish({ kind: 'tradingState', time, state: 'ACTIVE', reason: 'test' });
    settle(bench);
    expect(bench.model.of('place')).toHaveLength(1);
  });

  it('tries again when an order of another strategy ends as it leaves', () => {
    const { gate, refuse } = createSwitch();
    const bench = createBench({ refuse: (draft) => (draft.price === 100 ? refuse() : undefined) });
    bench.wish(quotes([100]), 'patient');
    bench.clock.advanceBy(60_000);
    gate.on = false;
    const { length } = bench.drafts;
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'unsent' } : {});
    bench.wish(quotes([90]), 'other');
    settle(bench);
    expect(bench.drafts.slice(length).map((draft) => draft.price)).toEqual([90, 100]);
  });

  it('says a refusal again when what was seen is another, after the pause', () => {
    const { gate, refuse } = createSwitch();
    const bench = createBench({ refuse });
    bench.wish(quotes([100]));
    settle(bench);
    gate.observed = '8';
    bench.clock.advanceBy(10_000);
    expect(bench.ofKind('refusal').map(({ refusal }) => refusal.observed)).toEqual(['7', '8']);
  });

  it('refuses a market beyond the share of the budget that heartbeats may take', () => {
    const bench = createBench({ config: { heartbeat: { budgetShare: 0 } } });
    bench.wish(quotes([100]));
    bench.wish(quotes([100], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(1_000);
    expect(bench.model.open.map(({ record }) => record.market)).toEqual([MARKET.id]);
    expect(bench.ofKind('refusal')[0]?.refusal.code).toBe('heartbeatBudget');
  });

  it('admits no more markets than that where several wait for one place', () => {
    const third = { ...MARKET, id: 'ltc_usdt', base: 'ltc' };
    const markets = [MARKET, SECOND_MARKET, third];
    const bench = createBench({ markets, config: { heartbeat: { budgetShare: 0 } } });
    for (const { id: market } of markets) bench.wish(quotes([100], [], { market }));
    settle(bench);
    bench.wish(quotes([]));
    bench.clock.advanceBy(5_000);
    expect(bench.model.open.map(({ record }) => record.market)).toEqual([SECOND_MARKET.id]);
  });
});

describe('Executor and an exit where other markets have all places', () => {
  const market = SECOND_MARKET.id;

  /** Something is held in the second market, and the first has the only place. */
  function createFull() {
    const bench = createBench({ config: { heartbeat: { budgetShare: 0 } } });
    bench.wish(quotes([100], [], { market }));
    settle(bench);
    bench.model.fill(bench.model.orders[0]!);
    settle(bench);
    bench.wish(quotes([100]));
    settle(bench);
    expect(bench.held('maker', market)).toBe(1);
    bench.depths.set(market, depthOf(99, 101, market));
    return bench;
  }

  const placed = ({ model }: Bench) =>
    model.orders.slice(2).map(({ record }) => [record.market, record.side, record.amount]);

  it('lets it leave, and nothing beside it', () => {
    const bench = createFull();
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    bench.wish({ ...order({ tag: 'more' }), market } as Intent);
    bench.wish(target(0, { market }));
    bench.clock.advanceBy(2_000);
    expect(placed(bench)).toEqual([[market, 'sell', 1]]);
    const refused = bench.ofKind('refusal').map(({ tag, refusal }) => [tag, refusal.code]);
    expect(refused).toEqual([['more', 'heartbeatBudget']]);
    expect(bench.held('maker', market)).toBe(0);
    expect(bench.model.open.map(({ record }) => record.market)).toEqual([MARKET.id]);
  });

  it('lets the part to flat leave of a way beyond it', () => {
    const bench = createFull();
    bench.wish(target(-1, { market }));
    bench.clock.advanceBy(5_000);
    expect(placed(bench)[0]).toEqual([market, 'sell', 1]);
  });
});

const limits = { requestsPerSecond: 10, requestsPerMinute: 600, candleIntervalMs: 1_000 };
const levels = Array.from({ length: 20 }, (_, level) => 100 - level);

describe('Executor and the rate budget', () => {
  it('waits for room and says how long', () => {
    const bench = createBench({ limits });
    bench.wish(quotes(levels));
    bench.clock.advanceBy(4_000);
    expect(bench.model.open).toHaveLength(20);
    expect(bench.model.most(1_000)).toBeLessThanOrEqual(10);
    const waited = bench.ofKind('request').map(({ waitedMs }) => waitedMs);
    expect(Math.max(...waited)).toBeGreaterThan(1_000);
    expect(bench.executor.usage()).toMatchObject({ requestsPerSecond: 10, waiting: [] });
  });

  it('counts how long a cancel waits only while it is wanted', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    const refusal = new ExchangeFailure('limited', 'Cannot do it: too fast');
    bench.model.fate = (operation) => (operation === 'cancel' ? { refusal } : {});
    bench.wish(quotes([99]));
    settle(bench);
    bench.wish(quotes([100]));
    bench.clock.advanceBy(10_000);
    bench.model.fate = () => ({});
    bench.wish(quotes([98]));
    settle(bench);
    const cancels = bench.ofKind('request').filter(({ operation }) => operation === 'cancel');
    expect(cancels.map(({ waitedMs }) => waitedMs)).toEqual([0, 0]);
  });

  it('counts how long a question waits only while it is to be asked', () => {
    const bench = createBench();
    const { budget, clock, model } = bench;
    const waits = () =>
      bench
        .ofKind('request')
        .flatMap(({ operation, waitedMs }) => (operation === 'queryOrder' ? [waitedMs] : []));
    model.pushDelayMs = undefined;
    bench.wish(order({ tag: 'one', type: 'ioc' }));
    settle(bench);
    const taken: number[] = [];
    while (budget.hasRoom('question')) taken.push(budget.take('question'));
    clock.advanceBy(3_000);
    expect([waits(), bench.executor.usage().waiting]).toEqual([[], ['question']]);
    model.pushes.next(model.orders[0]!.record);
    for (const leftMs of taken) budget.answered('question', leftMs);
    clock.advanceBy(3_000);
    bench.wish(order({ tag: 'other', type: 'ioc' }));
    clock.advanceBy(3_000);
    expect(waits()).toEqual([0]);
  });

  it('lets cancels and what reduces a position go before new orders', () => {
    const bench = createBench({ limits, config: { budget: { questionsShare: 0.1 } } });
    bench.wish(order({ tag: 'long' }));
    settle(bench);
    bench.model.fill(bench.model.orders[0]!);
    bench.clock.advanceBy(2_000);
    bench.wish(quotes(levels.slice(0, 12), [200]));
    const first = bench.model.of('place')[1]!.what as { side: string };
    expect(first.side).toBe('sell');
    bench.wish(quotes([]));
    bench.clock.advanceBy(3_000);
    expect(bench.model.open).toEqual([]);
  });
});

describe('Executor, of what it reads,', () => {
  const markets = Array.from({ length: 40 }, (_, index) => ({ ...MARKET, id: `m${index}_usdt` }));

  /** How many requests leave in less than a second from then on. */
  function sentIn(start: (bench: Bench) => void, { hasWished = true } = {}): number {
    const bench = createBench({ markets });
    for (const { id } of hasWished ? markets : []) bench.wish(quotes([], [], { market: id }));
    start(bench);
    bench.clock.advanceBy(900);
    return bench.model.calls.length;
  }

  it('leaves room for orders, but before it has a wish and once it stops', () => {
    const read = (bench: Bench) => void bench.executor.reconcile('test');
    const stop = (bench: Bench) => void bench.executor.stop();
    expect(sentIn(read, { hasWished: false })).toBeGreaterThan(2 * sentIn(read));
    expect(sentIn(stop)).toBeGreaterThan(2 * sentIn(read));
  });

  it('reads regularly the markets alone that are traded', () => {
    const bench = createBench({ config: { reconcileMs: 10_000 } });
    bench.wish(quotes([100]));
    bench.wish(quotes([], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(60_000);
    const read = bench.model.of('orders').map(({ what }) => (what as { market: string }).market);
    expect(read.length).toBeGreaterThan(3);
    expect(new Set(read)).toEqual(new Set([MARKET.id]));
  });
});

describe('Executor, where strategies want more than there is room for', () => {
  it('has them take turns', () => {
    const bench = createBench({ limits });
    const names = ['one', 'other'];
    for (let turn = 0; turn < 100; turn++) {
      const moved = levels.map((at) => at - (turn % 50));
      for (const name of names) bench.wish(quotes(moved), name);
      bench.clock.advanceBy(100);
    }
    const [one, other] = names.map(
      (name) => bench.drafts.filter(({ strategy }) => strategy === name).length,
    );
    expect(other! / one!).toBeGreaterThan(0.5);
    expect(other! / one!).toBeLessThan(2);
  });
});

describe('Executor, where the exchange refuses an order,', () => {
  it.each([
    ['for ever where it comes too fast alone', 'limited', undefined, CODES.tooFrequent, 6],
    ['for ever where the code says so', 'limited', CODES.tooFrequent, CODES.tooFrequent, 6],
    ['as often as it may where it is refused', 'rejected', CODES.balance, CODES.balance, 2],
    ['as often as it may where no code says why', 'rejected', undefined, undefined, 2],
  ] as const)('tries on %s', (_what, kind, code, told, tries) => {
    const bench = createBench({ config: { retriesMax: 1 } });
    let refused = 0;
    const refusal = new ExchangeFailure(kind, 'Cannot', code === undefined ? {} : { code });
    bench.model.fate = (operation) => (operation === 'place' && refused++ < 5 ? { refusal } : {});
    bench.wish(quotes([100]));
    bench.clock.advanceBy(60_000);
    expect(bench.model.of('place')).toHaveLength(tries);
    const { clientOrderId } = bench.drafts[0]!;
    const [order] = bench
      .ofKind('order')
      .flatMap((event) =>
        event.order.clientOrderId === clientOrderId && event.order.status === 'rejected'
          ? [event.order]
          : [],
      );
    expect([order?.code, order?.evidence]).toEqual([told, 'answer']);
  });
});

describe('Executor when it is told to stop', () => {
  it('backs off when the exchange calls it too fast, then goes on with a new id', () => {
    const bench = createBench();
    let limited = true;
    bench.model.fate = (operation) => {
      if (operation !== 'place' || !limited) return {};
      limited = false;
      const code = CODES.tooFrequent;
      return { refusal: new ExchangeFailure('limited', 'Cannot: too frequent', { code }) };
    };
    bench.wish(quotes([100]));
    bench.clock.advanceBy(900);
    expect(bench.model.of('place')).toHaveLength(1);
    bench.clock.advanceBy(1_000);
    expect(bench.model.open).toHaveLength(1);
    expect(new Set(bench.drafts.map(({ clientOrderId }) => clientOrderId)).size).toBe(2);
  });

  it('halts when key or address are locked: cancels only, whatever is wished', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.model.fate = (operation) =>
      operation === 'place'
        ? { refusal: new ExchangeFailure('rejected', 'Cannot: locked', { code: CODES.locked }) }
        : {};
    bench.wish(quotes([100, 99]));
    settle(bench);
    expect(bench.halts).toHaveLength(1);
    bench.model.fate = () => ({});
    bench.clock.advanceBy(120_000);
    expect(bench.model.of('place')).toHaveLength(2);
    bench.wish(quotes([]));
    bench.clock.advanceBy(61_000);
    expect(bench.model.open).toEqual([]);
    bench.wish(quotes([98]));
    bench.clock.advanceBy(5_000);
    expect(bench.model.of('place')).toHaveLength(2);
  });

  it.each([{ batch: false }, { batch: true }])(
    'sends nothing and halts when the journal fails to come on disk once: %o',
    (config) => {
      const bench = createBench({ config });
      bench.journal.commitOrders = () => {
        bench.journal.commitOrders = () => {};
        throw new Error('disk full');
      };
      bench.wish(quotes([100, 99], [], { postOnly: false }));
      bench.clock.advanceBy(5_000);
      expect([...bench.model.of('place'), ...bench.model.of('placeBatch')]).toEqual([]);
      expect(bench.halts[0]).toMatch(/journal is not on disk \(disk full\)/);
      expect(bench.live()).toEqual([]);
    },
  );
});
