import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../../src/domain/index.ts';
import {
  makeDepth,
  makeDraft,
  makeHeld,
  makeQuotes,
  makeTarget,
  makeTrader,
  type RiskSetup,
} from '../fixture.ts';

const limits = {
  ...{ markoutLossMax: 0.01, markoutMs: 10_000, markoutFills: 2, markoutPauseMs: 60_000 },
};

/** A trader, and the middle of its book, which a test moves. */
function makeFlow(setup: RiskSetup = {}) {
  const trader = makeTrader({ ...setup, limits: { ...limits, ...setup.limits } });
  const { clock, bus, knobs } = trader;
  const move = (mid: number | undefined): void => {
    const [bid, ask] = mid === undefined ? [undefined, undefined] : [mid - 0.01, mid + 0.01];
    knobs.depth = { ...makeDepth(bid, ask), receivedTime: clock.now() };
    bus.publish({ kind: 'depth', ...knobs.depth });
  };
  const trade = (order: Parameters<typeof makeDraft>[0] = {}): void => {
    trader.fill(trader.send(order));
  };
  let asked = 0;
  /** The code of the refusal of an opening order; undefined if it would leave. */
  const ask = (order: Parameters<typeof makeDraft>[0] = {}): string => {
    const draft = makeDraft({ clientOrderId: `asked${asked++}`, amount: 1_000, ...order });
    const verdict = trader.gate.order(draft);
    return 'code' in verdict ? verdict.code : 'leaves';
  };
  return {
    ...trader,
    ...{ ask, move },
    trade,
    /** Trades at 100; when the markout is due the middle is that far off. */
    tradeAndMove: (order: Parameters<typeof makeDraft>[0], mid: number): void => {
      trade(order);
      clock.advanceBy(10_000);
      move(mid);
    },
  };
}

const step = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  amount: fc.integer({ min: 1, max: 50 }).map((tenths) => tenths / 10),
  waitMs: fc.constantFrom(0, 1_000, 9_999, 10_000, 30_000),
  mid: fc.integer({ min: 9_700, max: 10_300 }).map((cents) => cents / 100),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The pause by its definition: all fills and books since the last pause, recomputed. */
function isPaused(steps: readonly Step[]): boolean {
  let fills: { side: string; amount: number; dueMs: number }[] = [];
  let losses: { cents: number; value: number }[] = [];
  let nowMs = 0;
  let untilMs = 0;
  for (const { side, amount, waitMs, mid } of steps) {
    if (nowMs >= untilMs) fills.push({ side, amount, dueMs: nowMs + 10_000 });
    nowMs += waitMs;
    const due = fills.filter(({ dueMs }) => dueMs <= nowMs);
    fills = fills.filter(({ dueMs }) => dueMs > nowMs);
    for (const fill of due) {
      const sign = fill.side === 'buy' ? 1 : -1;
      const cents = Math.round(10_000 - mid * 100) * sign;
      losses.push({ cents: Math.round(cents * fill.amount * 10), value: fill.amount * 10 });
      const newest = losses.slice(-2);
      const sum = (key: 'cents' | 'value') =>
        newest.reduce((total, loss) => total + Math.round(loss[key]), 0);
      // At 100 a loss of one in a hundred is 100 cents.
      if (newest.length < 2 || sum('cents') <= 100 * sum('value')) continue;
      [fills, losses, untilMs] = [[], [], nowMs + 60_000];
      break;
    }
  }
  return nowMs < untilMs;
}

describe('markout', () => {
  it('refuses just while fills as many as count have lost more on average, by value', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        const { clock, move, ask, send, fill } = makeFlow();
        steps.forEach(({ side, amount, waitMs, mid }, at) => {
          // Orders that shrink the position leave in a pause.
          const id = send({ side, amount });
          if (id !== 'markout') fill(id);
          clock.advanceBy(waitMs);
          move(mid);
          expect(ask() === 'markout').toBe(isPaused(steps.slice(0, at + 1)));
        });
      }),
      { seed: 52, numRuns: 300 },
    );
  });
});

describe('markout, what it does', () => {
  it('lets what shrinks the position leave, and no wish for more of it', () => {
    const { gate, send, positions, tradeAndMove } = makeFlow();
    for (const side of ['buy', 'sell']) tradeAndMove({ side }, side === 'buy' ? 97 : 100.5);
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    const refusal = {
      ...{ code: 'markout', scope: 'market' },
      observed: 'the newest 2 fills lost 0.0175 of their value',
      limit: 'at most 0.01 10 s after fills, else nothing opens until 01:48:00 UTC',
    };
    const { approved, refusals } = gate.intent('maker', makeQuotes([99], [101]));
    expect(approved?.value).toEqual(makeQuotes([], [101]));
    expect(refusals).toEqual([refusal]);
    expect(gate.intent('maker', makeTarget(0.5)).refusals).toEqual([]);
    expect(gate.intent('maker', makeTarget(2)).refusals).toEqual([refusal]);
    expect(send({ side: 'sell', amount: 1 })).toMatch(/^order/);
    expect(send({ market: 'eth_usdt' })).toMatch(/^order/);
  });
});

describe('markout, how long it lasts', () => {
  it('ends with its time, and the counts begin anew', () => {
    const { clock, ask, tradeAndMove } = makeFlow();
    for (let trade = 0; trade < 2; trade++) tradeAndMove({}, 98);
    clock.advanceBy(59_999);
    expect(ask()).toBe('markout');
    clock.advanceBy(1);
    tradeAndMove({}, 98);
    expect(ask()).toBe('leaves');
    tradeAndMove({}, 98);
    expect(ask()).toBe('markout');
  });

  it('ends with a reset by a person, who forgets what waits too', () => {
    const { clock, move, ask, trade, state, tradeAndMove } = makeFlow();
    for (let fills = 0; fills < 2; fills++) tradeAndMove({}, 98);
    state.reset();
    for (let fills = 0; fills < 2; fills++) trade();
    state.reset();
    clock.advanceBy(10_000);
    move(90);
    expect(ask()).toBe('leaves');
  });
});

describe('markout, the prices it goes by', () => {
  it('measures a fill against the first price behind its time, however late that is', () => {
    const { clock, move, trade, ask } = makeFlow();
    for (let fills = 0; fills < 2; fills++) trade();
    clock.advanceBy(9_999);
    move(90);
    clock.advanceBy(50_000);
    move(undefined);
    move(100);
    expect(ask()).toBe('leaves');
    const other = makeFlow();
    for (let fills = 0; fills < 2; fills++) other.trade();
    other.clock.advanceBy(50_000);
    other.move(98);
    expect(other.ask()).toBe('markout');
  });

  it.each(['ticker', 'trade', 'candle'] as const)(
    'waits while no price is known, and measures by the last one with a %s',
    (kind) => {
      const { clock, bus, knobs, trade, ask } = makeFlow();
      const { depth } = knobs;
      const tell = (): void => bus.publish({ kind, market: 'btc_usdt' } as TradingEvent);
      for (let fills = 0; fills < 2; fills++) trade();
      clock.advanceBy(10_000);
      knobs.depth = undefined;
      tell();
      knobs.last = 98;
      tell();
      knobs.depth = { ...depth!, receivedTime: clock.now() };
      expect(ask()).toBe('markout');
    },
  );

  it('counts fees not at all, and gains against losses', () => {
    const fees = { feeRates: { maker: 0.1, taker: 0.1 } };
    const { ask, tradeAndMove } = makeFlow(fees);
    tradeAndMove({}, 98);
    tradeAndMove({}, 100);
    expect(ask()).toBe('leaves');
    tradeAndMove({}, 97);
    expect(ask()).toBe('markout');
  });

  it('takes a fee that is told later for no fill', () => {
    const { ask, send, fill, tellFee, clock, move } = makeFlow({
      feeRates: { maker: 0.001, taker: 0.001 },
    });
    const id = send();
    fill(id);
    tellFee(id, 0.01);
    clock.advanceBy(10_000);
    move(98);
    expect(ask()).toBe('leaves');
  });

  it('is of each market by its own limit, and nowhere without one', () => {
    const { tradeAndMove, ask } = makeFlow({
      limits: { markoutLossMax: undefined, markets: { eth_usdt: { markoutLossMax: 0.01 } } },
    });
    for (let fills = 0; fills < 4; fills++) tradeAndMove({}, 50);
    expect(ask()).toBe('leaves');
  });
});
