import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fill } from '../../src/domain/index.ts';
import { DAY_MS, Decimal, HOUR_MS } from '../../src/kernel/index.ts';
import { isRefusal, RiskGate } from '../../src/risk/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import {
  makeDepth,
  makeDraft,
  makeHeld,
  makeRisk,
  makeTarget,
  makeTrader,
  type RiskSetup,
} from './fixture.ts';

/** A gate whose book can be moved: `mark(price)` publishes a depth around it a second later. */
function makeWatched(limits: RiskSetup['limits'], setup: RiskSetup = {}) {
  const risk = makeRisk({ ...setup, limits: { dailyLossMax: 10, drawdownMax: 1e9, ...limits } });
  const gate = new RiskGate(risk.view);
  const mark = (price: number) => {
    risk.clock.advanceBy(1_000);
    const depth = { ...makeDepth(price - 0.01, price + 0.01), receivedTime: risk.clock.now() };
    risk.knobs.depth = depth;
    risk.bus.publish({ kind: 'depth', ...depth });
    return risk.state.state;
  };
  const trade = (held: number, price = 100) =>
    risk.positions.restore(makeHeld({ strategy: 'maker', held, price }));
  if (setup.book === undefined) mark(100);
  return { ...risk, gate, mark, trade };
}

/** A step in a market: a trade, then a move of the book, in tenths. */
const happenings = fc.array(
  fc.record({
    held: fc.integer({ min: -20, max: 20 }),
    price: fc.integer({ min: 900, max: 1_100 }),
  }),
  { minLength: 1, maxLength: 30 },
);

/**
 * The reason why trading is no longer active after each step, with every sum recomputed in tenths.
 */
function naiveReasons(
  steps: readonly { readonly held: number; readonly price: number }[],
  { dailyLossMax, drawdownMax }: { readonly dailyLossMax: number; readonly drawdownMax: number },
): readonly string[] {
  let [held, cash, peak, reason] = [0, 0, 0, 'never changed'];
  return steps.map(({ held: change, price }) => {
    held += change;
    cash -= change * price;
    // Hundredths: amounts and prices are in tenths.
    const net = cash + held * price;
    peak = Math.max(peak, net);
    const told = (hundredths: number) => `${hundredths / 100} usdt`;
    if (reason !== 'never changed') return reason;
    if (peak - net > 100 * drawdownMax) {
      reason = `drawdown of ${told(peak - net)}, at most ${drawdownMax} (risk.drawdownMax)`;
    }
    if (-net > 100 * dailyLossMax) {
      reason = `daily loss of ${told(-net)}, at most ${dailyLossMax} (risk.dailyLossMax)`;
    }
    return reason;
  });
}

describe('LossWatch, beside sums worked out anew', () => {
  it('tells the same losses whatever was traded at whatever marks', () => {
    const limits = { dailyLossMax: 25, drawdownMax: 30 };
    fc.assert(
      fc.property(happenings, (steps) => {
        const { mark, trade, state } = makeWatched(limits);
        const reasons = steps.map(({ held, price }) => {
          if (held !== 0) trade(held / 10, price / 10);
          mark(price / 10);
          return state.reason;
        });
        expect(reasons).toEqual(naiveReasons(steps, limits));
      }),
      { numRuns: 500 },
    );
  });
});

describe('LossWatch, daily loss', () => {
  it('reduces when realized and unrealized losses together pass the limit, not at it', () => {
    const { mark, trade, state } = makeWatched({});
    trade(1);
    expect(mark(90)).toBe('ACTIVE');
    expect(mark(89.99)).toBe('REDUCING');
    expect(state.reason).toBe('daily loss of 10.01 usdt, at most 10 (risk.dailyLossMax)');
  });

  it('counts what was realized', () => {
    const { mark, trade } = makeWatched({});
    trade(1);
    trade(-1, 89);
    expect(mark(100)).toBe('REDUCING');
  });

  it('counts a fee that is told later', () => {
    const trader = makeTrader({ limits: { dailyLossMax: 1 } });
    const id = trader.send({ price: 100 });
    trader.fill(id);
    trader.tellFee(id, 0.01);
    expect(trader.send({ side: 'sell' })).toMatch(/^order/);
    trader.tellFee(id, 0.02);
    trader.send();
    expect(trader.state.state).toBe('REDUCING');
    // What is left is worth 0.98 of what was paid for 1.
    expect(trader.state.reason).toBe('daily loss of 2 usdt, at most 1 (risk.dailyLossMax)');
  });

  it('stays when the market comes back: only a person resets it', () => {
    const { mark, trade, state } = makeWatched({ lossAction: 'HALTED' });
    trade(1);
    expect(mark(80)).toBe('HALTED');
    expect(mark(120)).toBe('HALTED');
    state.reset();
    expect(mark(120)).toBe('ACTIVE');
  });

  it('starts anew from a reset', () => {
    const { mark, trade, state } = makeWatched({});
    trade(1);
    mark(80);
    state.reset();
    expect(mark(80)).toBe('ACTIVE');
    expect(mark(71)).toBe('ACTIVE');
    expect(mark(69)).toBe('REDUCING');
  });

  it('starts anew at midnight UTC', () => {
    const { mark, trade, clock } = makeWatched({});
    trade(1);
    expect(mark(91)).toBe('ACTIVE');
    clock.advanceTo(Math.ceil(clock.now() / DAY_MS) * DAY_MS - HOUR_MS);
    expect(mark(91)).toBe('ACTIVE');
    clock.advanceBy(HOUR_MS);
    expect(mark(91)).toBe('ACTIVE');
    expect(mark(82)).toBe('ACTIVE');
    expect(mark(80)).toBe('REDUCING');
  });
});

describe('LossWatch, after a restart', () => {
  it('counts what today lost before it, against the limit and the drawdown', () => {
    for (const limits of [{}, { dailyLossMax: 1e9, drawdownMax: 10 }]) {
      const { mark } = makeRestarted({ before: [], today: [bought(1), sold(1, 94)], limits });
      expect(mark(100)).toBe('ACTIVE');
      const worse = makeRestarted({ before: [], today: [bought(1), sold(1, 89)], limits });
      expect(worse.mark(100)).toBe('REDUCING');
    }
  });

  it('adds what it loses itself', () => {
    const { mark } = makeRestarted({ before: [], today: [bought(1), sold(1, 94), bought(1)] });
    expect(mark(100)).toBe('ACTIVE');
    expect(mark(96)).toBe('ACTIVE');
    expect(mark(95.99)).toBe('REDUCING');
  });

  it('forgives what was lost before midnight, and counts what was held then from its price', () => {
    const before = [bought(1), sold(1, 50), bought(2)];
    const { mark } = makeRestarted({ before, today: [sold(1, 80)] });
    expect(mark(80)).toBe('ACTIVE');
    expect(mark(71)).toBe('ACTIVE');
    expect(mark(69)).toBe('REDUCING');
  });

  it('waits for a price where all that was held at midnight was sold', () => {
    const { mark, gate, state } = makeRestarted({
      ...{ before: [bought(1)], today: [sold(1, 80)], book: [undefined, undefined] },
    });
    gate.order(makeDraft());
    expect(state.state).toBe('ACTIVE');
    expect(mark(95)).toBe('REDUCING');
    expect(state.reason).toBe('daily loss of 15 usdt, at most 10 (risk.dailyLossMax)');
  });

  it('needs no price where nothing was held at midnight nor since', () => {
    const fee = { fee: Decimal.of(2) };
    const { gate, state } = makeRestarted({
      ...{ before: [{ ...bought(1), ...fee }, sold(1, 150)], book: [undefined, undefined] },
      today: [{ ...bought(1), ...fee }, sold(1, 91)],
    });
    gate.order(makeDraft());
    expect(state.reason).toBe('daily loss of 11 usdt, at most 10 (risk.dailyLossMax)');
  });

  it('counts nothing that another quote currency earned', () => {
    const market = 'eth_btc';
    const before = [bought(1), sold(1, 200)].map((fill) => ({ ...fill, market }));
    const markets = [makeMarket(), makeMarket({ id: market, base: 'eth', quote: 'btc' })];
    expect(makeRestarted({ before, today: [bought(1)], markets }).mark(100)).toBe('ACTIVE');
  });

  it('counts what was held at midnight from the first price that was traded since', () => {
    const sale = { before: [bought(1, 50)], today: [sold(0.5, 100)], firstPrice: 100 };
    const { mark } = makeRestarted(sale);
    expect(mark(81)).toBe('ACTIVE');
    expect(mark(79)).toBe('REDUCING');
    const blind = makeRestarted({ ...sale, today: [sold(1, 89)], book: [undefined, undefined] });
    blind.gate.order(makeDraft());
    expect(blind.state.reason).toBe('daily loss of 11 usdt, at most 10 (risk.dailyLossMax)');
  });

  it('forgives it at the next midnight and at a reset', () => {
    const lost = { before: [], today: [bought(1), sold(1, 95)] };
    const reset = makeRestarted(lost);
    reset.state.reset();
    expect(reset.mark(100)).toBe('ACTIVE');
    reset.trade(1);
    expect(reset.mark(91)).toBe('ACTIVE');
    const next = makeRestarted(lost);
    next.clock.advanceBy(DAY_MS);
    next.mark(100);
    next.trade(1);
    expect(next.mark(91)).toBe('ACTIVE');
    expect(next.mark(89)).toBe('REDUCING');
  });
});

const bought = (held: number, price = 100) => makeHeld({ strategy: 'maker', held, price });
const sold = (held: number, price: number) => bought(-held, price);

/** A gate that knows the fills of earlier runs: those before midnight and those of today. */
function makeRestarted({
  before,
  today,
  limits = {},
  book,
  firstPrice,
  markets,
}: {
  readonly before: readonly Fill[];
  readonly today: readonly Fill[];
  readonly limits?: RiskSetup['limits'];
  readonly book?: RiskSetup['book'];
  readonly firstPrice?: number;
  readonly markets?: RiskSetup['markets'];
}) {
  const traded = markets === undefined ? {} : { markets };
  const { positions } = makeRisk(traded);
  for (const fill of before) positions.restore(fill);
  const dayStart = Object.assign(positions, { firstPrice: () => firstPrice });
  const setup = { dayStart, ...traded, ...(book && { book }) };
  const watched = makeWatched(limits, { book: [undefined, undefined], ...setup });
  for (const fill of [...before, ...today]) watched.positions.restore(fill);
  return watched;
}

describe('LossWatch', () => {
  it('reduces on a drawdown from the highest profit', () => {
    const { mark, trade, state } = makeWatched({ dailyLossMax: 1e9, drawdownMax: 15 });
    trade(1);
    expect(mark(130)).toBe('ACTIVE');
    expect(mark(115)).toBe('ACTIVE');
    expect(mark(114)).toBe('REDUCING');
    expect(state.reason).toBe('drawdown of 16 usdt, at most 15 (risk.drawdownMax)');
  });

  it('measures a drawdown from the profit at a reset', () => {
    const { mark, trade, state } = makeWatched({ dailyLossMax: 1e9, drawdownMax: 15 });
    trade(1);
    mark(130);
    expect(mark(110)).toBe('REDUCING');
    state.reset();
    expect(mark(110)).toBe('ACTIVE');
    expect(mark(96)).toBe('ACTIVE');
    expect(mark(94)).toBe('REDUCING');
  });

  it('does not count what earlier runs lost, once it knows the price', () => {
    const { mark, trade, gate } = makeWatched({}, { book: [undefined, undefined] });
    trade(1);
    gate.order(makeDraft());
    expect(mark(50)).toBe('ACTIVE');
    expect(mark(41)).toBe('ACTIVE');
    expect(mark(39)).toBe('REDUCING');
  });

  it('takes the limits of the quote currency where it has its own', () => {
    const { mark, trade, state } = makeWatched({ currencies: { usdt: { dailyLossMax: 30 } } });
    trade(1);
    expect(mark(71)).toBe('ACTIVE');
    expect(mark(69)).toBe('REDUCING');
    expect(state.reason).toContain('at most 30 (risk.currencies.usdt.dailyLossMax)');
  });

  it('sees what is lost in either of two quote currencies while positions stay', () => {
    const market = 'eth_btc';
    const markets = [makeMarket(), makeMarket({ id: market, base: 'eth', quote: 'btc' })];
    for (const [inFirst, inSecond] of [
      [1, 0.1],
      [0.1, 1],
    ] as const) {
      const { mark, positions } = makeWatched({}, { markets });
      const held = { strategy: 'maker', price: 100 };
      positions.restore(makeHeld({ ...held, held: inFirst }));
      positions.restore({ ...makeHeld({ ...held, held: inSecond }), market });
      expect([95, 91, 89].map(mark)).toEqual(['ACTIVE', 'ACTIVE', 'REDUCING']);
    }
  });

  it('is not tripped by a book of which one side was swept away, but by one that has moved', () => {
    const { knobs, clock, bus, trade, mark, state } = makeWatched({ collarFraction: 0.02 });
    trade(1);
    mark(100);
    const show = (bid: number | undefined, ask: number) => {
      clock.advanceBy(1_000);
      knobs.depth = makeDepth(bid, ask);
      bus.publish({ kind: 'depth', ...knobs.depth });
      return state.state;
    };
    expect(show(0.01, 100.01)).toBe('ACTIVE');
    expect(show(undefined, 100.01)).toBe('ACTIVE');
    expect(mark(100)).toBe('ACTIVE');
    expect(show(0.01, 89)).toBe('REDUCING');
  });
});

describe('LossWatch, when it looks and what passes then,', () => {
  it('looks at most once a second between orders, and before every order and wish', () => {
    for (const asks of ['order', 'wish']) {
      const { knobs, bus, gate, state, trade, mark } = makeWatched({});
      trade(1);
      mark(100);
      const depth = makeDepth(49, 51);
      knobs.depth = depth;
      bus.publish({ kind: 'depth', ...depth });
      expect(state.state).toBe('ACTIVE');
      if (asks === 'wish') gate.intent('maker', makeTarget(2));
      else expect(gate.order(makeDraft({ price: 50 }))).toMatchObject({ code: 'collar' });
      expect(state.state).toBe('REDUCING');
    }
  });

  it('then lets pass just what reduces', () => {
    const { gate, mark, trade } = makeWatched({});
    trade(1);
    mark(80);
    const sell = { side: 'sell', price: 80.5, amount: 1 };
    expect(isRefusal(gate.order(makeDraft(sell)))).toBe(false);
    expect(gate.order(makeDraft({ price: 79 }))).toMatchObject({ code: 'reducing' });
  });
});
