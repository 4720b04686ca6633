import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/index.ts';
import { makeDraft, makeTrader, type RiskSetup } from './fixture.ts';

type Limits = RiskSetup['limits'];
type Trader = ReturnType<typeof makeTrader>;
const OUTCOMES = ['taken', 'rejected', 'sentBack', 'unanswered'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Sends an order with that fate. Returns false if it was refused for those before. */
function tried(trader: Trader, outcome: Outcome): boolean {
  const type = outcome === 'sentBack' ? 'postOnly' : 'limit';
  const id = trader.send({ type, price: 99 });
  if (id === 'rejects' || id === 'tradingState') return false;
  if (outcome === 'taken') trader.cancelled(id);
  else if (outcome === 'unanswered') trader.lose(id);
  else trader.reject(id);
  trader.clock.advanceBy(1);
  return true;
}

/** How many of `count` orders with the same fate left before one was refused. */
function leftOf(trader: Trader, outcome: Outcome, count = 1_000): number {
  for (let left = 0; left < count; left++) if (!tried(trader, outcome)) return left;
  return count;
}

const step = fc.record({
  waitMs: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 400 })),
  outcome: fc.constantFrom(...OUTCOMES),
});
const limits = {
  ...{
    rejectsInRowMax: 3,
    rejectsPerWindowMax: 5,
    rejectWindowMs: 100,
    postOnlyRejectsInRowMax: 4,
  },
  ...{ rejectPauseMs: 20, rejectPausesMax: 3 },
};

/** The rules in their plainest form, applied to the whole history. */
class NaiveWatch {
  #failed: number[] = [];
  /** Whether each order since the last that was taken was sent back. */
  #row: boolean[] = [];
  #pauses: { readonly untilMs: number }[] = [];
  halted = false;

  isPaused(nowMs: number): boolean {
    return this.#pauses.some(({ untilMs }) => nowMs < untilMs);
  }

  note(outcome: Outcome, nowMs: number): void {
    const last = this.#pauses.at(-1);
    if (outcome === 'taken') {
      this.#row = [];
      if (last !== undefined && nowMs >= last.untilMs + 100) this.#pauses = [];
      return;
    }
    const isSentBack = outcome === 'sentBack';
    this.#row.push(isSentBack);
    const inRow = this.#row.filter((one) => one === isSentBack).length;
    const inWindow = this.#failed.filter((time) => time > nowMs - 100).length;
    const isCrowded = !isSentBack && inWindow >= 5;
    if (!isSentBack && !isCrowded) this.#failed.push(nowMs);
    if (inRow <= (isSentBack ? 4 : 3) && !isCrowded) return;
    this.#pauses.push({ untilMs: nowMs + 20 * 2 ** this.#pauses.length });
    if (this.#pauses.length > 3) this.halted = true;
  }
}

describe('RejectWatch', () => {
  it('pauses and halts just when the plain rules say so, whatever the exchange answers', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const trader = makeTrader({ limits });
        const naive = new NaiveWatch();
        for (const { waitMs, outcome } of steps) {
          trader.clock.advanceBy(waitMs);
          const nowMs = trader.clock.now();
          const left = tried(trader, outcome);
          expect(left).toBe(!naive.halted && !naive.isPaused(nowMs));
          if (left) naive.note(outcome, nowMs);
          expect(trader.state.state).toBe(naive.halted ? 'HALTED' : 'ACTIVE');
        }
      }),
      { seed: 43, numRuns: 1_000 },
    );
  });

  // So many in a row, one more, and one after each of six pauses.
  it.each([
    ['rejected', 27],
    ['sentBack', 107],
  ] as const)(
    'lets few orders leave where all are %s, at any pace, then halts',
    (outcome, most) => {
      fc.assert(
        fc.property(fc.integer({ min: 10, max: 2_000 }), (paceMs) => {
          const trader = makeTrader();
          let left = 0;
          for (let ms = 0; ms < 10 * MINUTE_MS; ms += paceMs) {
            if (tried(trader, outcome)) left++;
            trader.clock.advanceBy(paceMs);
          }
          expect(left).toBe(most);
          expect(trader.state.state).toBe('HALTED');
          expect(trader.state.reason).toBe(
            `orders of btc_usdt fail after 6 pauses: ${most}, the last for: prohibited`,
          );
        }),
        { seed: 44, numRuns: 10 },
      );
    },
  );

  it('lets a maker be whose post-only orders are sent back eight times in ten', () => {
    const random = fc.sample(fc.nat(9), { numRuns: 5_000, seed: 45 });
    const trader = makeTrader();
    for (const draw of random) {
      expect(tried(trader, draw < 2 ? 'taken' : 'sentBack')).toBe(true);
      trader.clock.advanceBy(100);
    }
    expect(trader.state.state).toBe('ACTIVE');
  });
});

const few = { rejectsInRowMax: 2, rejectPauseMs: 1_000 };

describe('RejectWatch, a pause', () => {
  it('is of one market, and of orders alone: cancels, wishes and other markets go on', () => {
    const trader = makeTrader({ limits: few });
    expect(leftOf(trader, 'rejected')).toBe(3);
    expect(trader.send()).toBe('rejects');
    expect(trader.send({ market: 'eth_usdt' })).toMatch(/^order/);
    const [order] = trader.orders.live('eth_usdt');
    expect(trader.gate.cancel(order!).value).toBe(order);
    expect(trader.gate.unwelcome()).toEqual([]);
  });

  it('says what led to it', () => {
    const { gate, ...trader } = makeTrader({ limits: few });
    leftOf({ gate, ...trader }, 'unanswered');
    expect(gate.order(makeDraft())).toEqual({
      code: 'rejects',
      limit: '2 in a row',
      observed: '3, the last for: no answer; paused for 1 s',
      scope: 'market',
    });
  });

  it('comes from too many in a window too, though others are taken between them', () => {
    const { gate, ...trader } = makeTrader({ limits: { rejectsPerWindowMax: 3 } });
    for (let at = 0; at < 4; at++) {
      expect(tried({ gate, ...trader }, 'taken')).toBe(true);
      expect(tried({ gate, ...trader }, 'rejected')).toBe(true);
    }
    expect(gate.order(makeDraft())).toMatchObject({
      limit: '3 in 1 min',
      observed: '4, the last for: prohibited; paused for 5 s',
    });
  });

  it('is the first again once an order was taken a window after the last', () => {
    const pausesAfter = (waitMs: number) => {
      const trader = makeTrader({ limits: { ...few, rejectWindowMs: 10_000 } });
      leftOf(trader, 'rejected');
      // The pause began a millisecond ago.
      trader.clock.advanceBy(999 + waitMs);
      tried(trader, 'taken');
      leftOf(trader, 'rejected');
      const answer = trader.gate.order(makeDraft());
      return 'observed' in answer && answer.observed;
    };
    expect(pausesAfter(9_999)).toContain('paused for 2 s');
    expect(pausesAfter(10_000)).toContain('paused for 1 s');
  });

  it('is doubled each time, to an hour at most', () => {
    const trader = makeTrader({ limits: { ...few, rejectPausesMax: 100 } });
    leftOf(trader, 'rejected');
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600]) {
      trader.clock.advanceBy(seconds * 1_000 - 2);
      expect(trader.send()).toBe('rejects');
      trader.clock.advanceBy(2);
      expect(leftOf(trader, 'rejected')).toBe(1);
    }
  });
});

describe('RejectWatch, the beginning of a pause', () => {
  it('is one for all that was under way then', () => {
    const trader = makeTrader({ limits: few });
    const ids = Array.from({ length: 10 }, (_, at) => trader.send({ price: 90 + at }));
    for (const id of ids) trader.reject(id);
    trader.clock.advanceBy(1_000);
    expect(trader.send()).toMatch(/^order/);
  });

  it('does not come again of answers after its end', () => {
    const trader = makeTrader({ limits: few });
    const late = trader.send({ price: 90 });
    leftOf(trader, 'rejected');
    trader.clock.advanceBy(1_000);
    trader.reject(late);
    expect(trader.send()).toMatch(/^order/);
  });

  it('is not put off by the fill of an older order', () => {
    const trader = makeTrader({ limits: few });
    const old = trader.send({ price: 80 });
    trader.take(old);
    trader.clock.advanceBy(1);
    leftOf(trader, 'rejected', 2);
    trader.fill(old, 0.5);
    expect(leftOf(trader, 'rejected')).toBe(1);
  });

  it('is put off by one that was made after the first that failed, though before others', () => {
    const trader = makeTrader({ limits: few });
    const ids = [90, 91, 92].map((price) => {
      trader.clock.advanceBy(1);
      return trader.send({ price });
    });
    trader.reject(ids[0]!);
    trader.reject(ids[2]!);
    trader.take(ids[1]!);
    trader.clock.advanceBy(1);
    expect(leftOf(trader, 'rejected')).toBe(3);
  });

  it('does not count what a lookup found to be absent, nor what a lapse has made unknown', () => {
    const trader = makeTrader({ limits: few });
    const { orders, clock } = trader;
    for (let at = 0; at < 10; at++) {
      const id = trader.send({ price: 90 + at });
      orders.apply(id, { kind: 'lost', reason: 'lapse', evidence: 'request', time: clock.now() });
      orders.apply(id, {
        kind: 'rejected',
        reason: 'absent',
        evidence: 'query',
        time: clock.now(),
      });
    }
    expect(trader.send()).toMatch(/^order/);
  });
});

describe('RejectWatch, its counts', () => {
  it('end with a reset by a person, and the pause with them', () => {
    const trader = makeTrader({ limits: { rejectsInRowMax: 2, rejectPausesMax: 1 } });
    leftOf(trader, 'rejected');
    trader.clock.advanceBy(5_000);
    expect(leftOf(trader, 'rejected')).toBe(1);
    expect(trader.state.state).toBe('HALTED');
    trader.state.reset();
    expect(leftOf(trader, 'rejected')).toBe(3);
    expect(trader.state.state).toBe('ACTIVE');
  });

  it('go by the limits of the market where it has its own', () => {
    const own: Limits = { markets: { btc_usdt: { rejectsInRowMax: 7 } }, rejectsInRowMax: 2 };
    expect(leftOf(makeTrader({ limits: own }), 'rejected')).toBe(8);
  });
});

describe('RejectWatch, of post-only orders,', () => {
  it('takes those that were not answered for failed ones', () => {
    const trader = makeTrader({ limits: few });
    for (const price of [97, 98, 99]) {
      trader.lose(trader.send({ type: 'postOnly', price }));
      trader.clock.advanceBy(1);
    }
    expect(trader.send()).toBe('rejects');
  });

  it('takes those that were rejected for something else than their price for failed ones', () => {
    // The code of `reject`.
    const plainRejects = new Set([3010]);
    expect(leftOf(makeTrader({ limits, plainRejects }), 'sentBack')).toBe(
      leftOf(makeTrader({ limits }), 'rejected'),
    );
    expect(leftOf(makeTrader({ limits, plainRejects: new Set([1]) }), 'sentBack')).toBe(
      leftOf(makeTrader({ limits }), 'sentBack'),
    );
  });
});

const EXIT = { side: 'sell', type: 'ioc', price: 99.9, amount: 1 } as const;
const exitOf = ({ send }: Trader, strategy: string) => send({ ...EXIT, strategy });
const held = { maker: 1, holder: 2, other: 1 };

/** A trader whose maker's orders were rejected until those of the market pause. */
function pausedTrader(overrides: Limits = {}): Trader {
  const trader = makeTrader({ held, limits: { ...few, rejectPauseMs: 10_000, ...overrides } });
  expect(leftOf(trader, 'rejected')).toBe(3);
  return trader;
}

describe('RejectWatch, of exits in a pause,', () => {
  it('lets all leave, and nothing that opens or may rest', () => {
    const trader = pausedTrader();
    expect(exitOf(trader, 'holder')).toMatch(/^order/);
    expect(exitOf(trader, 'maker')).toMatch(/^order/);
    expect(trader.send({ ...EXIT, amount: 2, strategy: 'other' })).toBe('rejects');
    expect(trader.send({ ...EXIT, type: 'limit', strategy: 'other' })).toBe('rejects');
    trader.state.set('HALTED', 'test');
    expect(exitOf(trader, 'other')).toBe('tradingState');
  });

  it('has the next of a strategy wait a second behind one that failed, and of no other', () => {
    const trader = pausedTrader();
    trader.reject(exitOf(trader, 'holder'));
    const draft = makeDraft({ ...EXIT, strategy: 'holder', clientOrderId: 'next' });
    expect(trader.gate.order(draft)).toEqual({
      code: 'rejects',
      limit: 'an exit a second where they fail',
      observed: '3, the last for: prohibited; paused for 10 s',
      scope: 'market',
    });
    trader.reject(exitOf(trader, 'other'));
    trader.clock.advanceBy(999);
    expect(exitOf(trader, 'holder')).toBe('rejects');
    trader.clock.advanceBy(1);
    expect(exitOf(trader, 'holder')).toMatch(/^order/);
  });

  it('lets no more of a strategy fail than one a second, at any pace', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), (paceMs) => {
        const trader = pausedTrader();
        const { clock } = trader;
        const endMs = clock.now() + 9_000;
        const times: number[] = [];
        for (; clock.now() < endMs; clock.advanceBy(paceMs)) {
          const id = exitOf(trader, 'holder');
          if (id === 'rejects') continue;
          trader.reject(id);
          times.push(clock.now());
        }
        expect(times.length).toBeGreaterThan(5);
        for (const [at, time] of times.slice(1).entries()) {
          expect(time - times[at]!).toBeGreaterThanOrEqual(1_000);
        }
      }),
      { seed: 46, numRuns: 30 },
    );
  });
});

describe('RejectWatch, of exits that fail,', () => {
  it('does not count those in a pause against the market', () => {
    const trader = pausedTrader({ rejectPausesMax: 1, rejectsPerWindowMax: 4 });
    for (let at = 0; at < 8; at++) {
      trader.clock.advanceBy(1_000);
      trader.reject(exitOf(trader, 'holder'));
    }
    trader.clock.advanceBy(2_000);
    tried(trader, 'taken');
    expect(leftOf(trader, 'rejected', 1)).toBe(1);
    expect(trader.send({ price: 98 })).toMatch(/^order/);
    expect(trader.state.state).toBe('ACTIVE');
  });

  it('counts those before a pause as any other', () => {
    const trader = makeTrader({ held, limits: few });
    for (let at = 0; at < 3; at++) {
      trader.clock.advanceBy(1);
      trader.reject(exitOf(trader, 'holder'));
    }
    expect(trader.send()).toBe('rejects');
    expect(exitOf(trader, 'holder')).toBe('rejects');
    expect(exitOf(trader, 'other')).toMatch(/^order/);
  });
});
