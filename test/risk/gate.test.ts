import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Amount,
  type Intent,
  type OpenOrder,
  ORDER_TYPES,
  type TradingEvent,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { isRefusal, RiskGate } from '../../src/risk/index.ts';
import {
  anyOrderUnits,
  draftOf,
  makeDraft,
  makeOrderIntent,
  makeQuotes,
  makeRisk,
  makeTarget,
  makeTrader,
  pendingOf,
  type RiskSetup,
} from './fixture.ts';

function makeGate(setup: RiskSetup = {}) {
  const risk = makeRisk(setup);
  return { ...risk, gate: new RiskGate(risk.view) };
}

/** Every knob that a check looks at, turned so that it refuses. */
function makeHostile() {
  const risk = makeGate({ balances: {}, live: [{ status: 'unknown' }] });
  risk.state.set('HALTED', 'test');
  Object.assign(risk.knobs, { depth: undefined, fresh: false, beat: false });
  return risk;
}

const intents: readonly Intent[] = [
  makeQuotes([99], [101]),
  makeTarget(1),
  makeTarget(0),
  makeOrderIntent(),
];

describe('RiskGate', () => {
  it('passes sound wishes and orders as they are', () => {
    const { gate } = makeGate();
    for (const intent of intents) {
      const { approved, refusals } = gate.intent('maker', intent);
      expect(approved?.value).toBe(intent);
      expect(refusals).toEqual([]);
    }
    const draft = makeDraft();
    const answer = gate.order(draft);
    expect(isRefusal(answer) ? answer : answer.value).toBe(draft);
  });

  it('passes cancels and empty quotes whatever the circumstances', () => {
    const { gate, orders } = makeHostile();
    const order = orders.live('btc_usdt')[0]!;
    expect(gate.cancel(order).value).toBe(order);
    const cancel = { kind: 'cancel', market: 'btc_usdt', tag: 'x' } as const;
    for (const intent of [cancel, makeQuotes([], [])]) {
      const verdict = { approved: { value: intent }, refusals: [] };
      expect(gate.intent('maker', intent)).toMatchObject(verdict);
    }
    for (const oneSided of [makeQuotes([99], []), makeQuotes([], [101])]) {
      expect(gate.intent('maker', oneSided).refusals).toMatchObject([{ code: 'tradingState' }]);
    }
  });

  it('passes nothing else when halted', () => {
    const { gate, state } = makeGate({ held: { maker: 5 } });
    state.set('HALTED', 'test');
    fc.assert(
      fc.property(anyOrderUnits, fc.integer({ min: -60_000, max: 60_000 }), (units, target) => {
        expect(gate.order(draftOf(units))).toMatchObject({ code: 'tradingState' });
        const wish = gate.intent('maker', makeTarget(target / 10_000));
        expect(wish.refusals).toMatchObject([{ code: 'tradingState' }]);
        expect(wish.approved?.value).toEqual(makeQuotes([], []));
      }),
      { seed: 31 },
    );
    for (const intent of intents) {
      const { approved, refusals } = gate.intent('maker', intent);
      expect(approved?.value ?? makeQuotes([], [])).toEqual(makeQuotes([], []));
      expect(refusals).toMatchObject([{ code: 'tradingState' }]);
    }
  });

  it('keeps a strategy to the markets that it was given, in wishes and orders', () => {
    const { gate } = makeGate();
    gate.confine('maker', new Set(['btc_usdt']));
    const abroad = { market: 'eth_usdt' };
    const refusal = { code: 'strategyMarket', limit: 'one of btc_usdt', observed: 'eth_usdt' };
    for (const intent of intents) {
      const { approved, refusals } = gate.intent('maker', { ...intent, ...abroad });
      expect(approved?.value ?? makeQuotes([], [])).toMatchObject({ bids: [], asks: [] });
      expect(refusals).toEqual([{ ...refusal, scope: 'strategy' }]);
      expect(gate.intent('maker', intent).refusals).toEqual([]);
      expect(gate.intent('other', { ...intent, ...abroad }).refusals).toEqual([]);
    }
    expect(gate.order(makeDraft(abroad))).toMatchObject(refusal);
    expect(isRefusal(gate.order(makeDraft()))).toBe(false);
    const cancel = { kind: 'cancel', tag: 'x', ...abroad } as const;
    for (const back of [cancel, { ...makeQuotes([], []), ...abroad }]) {
      expect(gate.intent('maker', back)).toMatchObject({ approved: { value: back }, refusals: [] });
    }
  });

  it('refuses a market that it does not know', () => {
    const { gate } = makeGate();
    const refusal = { code: 'unknownMarket', observed: 'x_y' };
    expect(gate.order(makeDraft({ market: 'x_y' }))).toMatchObject(refusal);
    const back = { kind: 'cancel', tag: 'x' } as const;
    for (const intent of [makeTarget(1), makeQuotes([], []), back]) {
      const wish = gate.intent('maker', { ...intent, market: 'x_y' });
      expect(wish).toMatchObject({ approved: undefined, refusals: [refusal] });
    }
  });
});

describe('RiskGate.cancel', () => {
  it('has what a cancel sets free from the moment that it is told', () => {
    const live = [
      { side: 'buy', price: 90 },
      { side: 'sell', price: 110 },
    ] as const;
    const { gate, orders, clock } = makeGate({
      live,
      balances: { usdt: ['10', '90'], btc: ['0', '1'] },
    });
    const drafts = live.map((terms, at) => makeDraft({ ...terms, clientOrderId: `draft${at}` }));
    const codes = () =>
      drafts.map((draft) => {
        const answer = gate.order(draft);
        return isRefusal(answer) ? answer.code : 'leaves';
      });
    for (const order of orders.live('btc_usdt')) gate.cancel(order);
    expect(codes()).toEqual(['balance', 'balance']);
    for (const { clientOrderId, exchangeOrderId } of orders.live('btc_usdt') as OpenOrder[]) {
      orders.apply(clientOrderId, {
        ...{ kind: 'record', time: clock.now(), evidence: 'answer', exchangeOrderId },
        ...{ closed: true, filledAmount: 0 as Amount, filledValue: Decimal.ZERO },
      });
    }
    expect(codes()).toEqual(['leaves', 'leaves']);
  });
});

describe('RiskGate.intent', () => {
  it('lets the levels stand that pass, nearest to the market first', () => {
    const { gate } = makeGate({ limits: { openOrdersPerSideMax: 2, collarFraction: 0.02 } });
    const wish = makeQuotes([97, 99, 98, 150], [101]);
    const { approved, refusals } = gate.intent('maker', wish);
    expect(approved?.value).toEqual(makeQuotes([99, 98], [101]));
    expect(refusals.map(({ code }) => code)).toEqual(['collar', 'openOrders']);
  });

  it('lets a maker work itself out of its position while trading is reducing', () => {
    const { gate, state } = makeGate({ held: { maker: 1 } });
    state.set('REDUCING', 'test');
    const { approved, refusals } = gate.intent('maker', makeQuotes([99], [101]));
    expect(approved?.value).toEqual(makeQuotes([], [101]));
    expect(refusals.map(({ code }) => code)).toEqual(['reducing']);
  });

  it('lets nothing stand of quotes or a target that are refused, of stale data too', () => {
    const { gate, knobs } = makeGate();
    knobs.fresh = false;
    for (const intent of [makeQuotes([99], [101]), makeTarget(1)]) {
      const { approved, refusals } = gate.intent('maker', intent);
      expect(approved?.value).toEqual(makeQuotes([], []));
      expect(refusals).toMatchObject([{ code: 'staleData' }]);
    }
    expect(gate.intent('maker', makeOrderIntent()).approved).toBeUndefined();
  });

  it.each([0.000_05, -0.000_05, 0.000_15])(
    'keeps the position of a target between two steps, %d',
    (position) => {
      const { gate } = makeGate({ held: { maker: 1 } });
      const { approved, refusals } = gate.intent('maker', makeTarget(position));
      expect(approved?.value).toEqual(makeQuotes([], []));
      expect(refusals).toEqual([
        {
          ...{ code: 'shape', scope: 'order' },
          ...{ limit: 'a multiple of 0.0001', observed: `position ${position}` },
        },
      ]);
    },
  );
});

describe('RiskGate.order', () => {
  it('survives numbers that are none', () => {
    const { gate } = makeGate();
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.constantFrom(...ORDER_TYPES), (...terms) => {
        const [price, amount, type] = terms;
        const answer = gate.order(makeDraft({ price, amount, type }));
        if (!isRefusal(answer)) return;
        expect(answer.code).not.toBe('');
      }),
      { seed: 32 },
    );
  });

  it('counts an order against the rate only once it passed every check, and tells when the next may', () => {
    const limits = { ordersPerWindowMax: 1, strategyOrdersPerWindowMax: 1 };
    const { gate, knobs, clock, view } = makeGate({ limits });
    const startMs = clock.now();
    knobs.beat = false;
    expect(gate.order(makeDraft())).toMatchObject({ code: 'heartbeat' });
    knobs.beat = true;
    expect(gate.paceOpensMs('maker')).toBe(startMs);
    expect(isRefusal(gate.order(makeDraft({ strategy: 'maker' })))).toBe(false);
    clock.advanceBy(1);
    expect(gate.order(makeDraft())).toMatchObject({ code: 'orderRate' });
    expect(gate.paceOpensMs('maker')).toBe(startMs + view.config.orderRateWindowMs);
  });
});

const action = fc.oneof(
  { weight: 3, arbitrary: anyOrderUnits },
  fc.record({ fill: fc.nat(50), quarters: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ lose: fc.nat(50) }),
);

describe('RiskGate over time', () => {
  it('never lets the worst case beyond the limits, whatever fills, is lost or stays', () => {
    const limits = { longMax: 4, shortMax: 3, openValueMax: 800 };
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const { gate, orders, positions } = makeGate({ limits });
        let made = 0;
        for (const step of actions) {
          const live = [...orders.allLive()];
          if ('side' in step) {
            const draft = { ...draftOf(step), clientOrderId: `order${made++}` };
            const answer = gate.order(draft);
            if (!isRefusal(answer)) orders.create(pendingOf(answer.value));
          } else if (live.length > 0) {
            const order = live[('fill' in step ? step.fill : step.lose) % live.length]!;
            const now = { time: 1, evidence: 'push' } as const;
            if ('lose' in step) {
              orders.apply(order.clientOrderId, { kind: 'lost', reason: 'timed out', ...now });
              continue;
            }
            const units = Math.floor((Math.round(order.amount * 10_000) * step.quarters) / 4);
            orders.apply(order.clientOrderId, {
              ...{ kind: 'record', ...now, exchangeOrderId: order.clientOrderId, closed: false },
              filledAmount: (units / 10_000) as Amount,
              filledValue: Decimal.of(order.price).times(new Decimal(BigInt(units), 4)),
            });
          }
          const held = positions.position('btc_usdt').amount.toNumber();
          const rest = (side: string) =>
            orders
              .live('btc_usdt')
              .filter((order) => order.side === side)
              .reduce((total, order) => total + order.amount - order.filledAmount, 0);
          expect(held + rest('buy')).toBeLessThan(4.000001);
          expect(held - rest('sell')).toBeGreaterThan(-3.000001);
        }
      }),
      { seed: 33, numRuns: 300 },
    );
  });
});

describe('RiskGate.order: an exit beyond what one order may be', () => {
  const SELL = { side: 'sell', type: 'ioc', price: 99, amount: 1 };

  function left(setup: RiskSetup, draft: Parameters<typeof makeDraft>[0]) {
    const answer = makeGate(setup).gate.order(makeDraft(draft));
    return isRefusal(answer) ? answer.code : answer.value.amount;
  }

  it('leaves as much as its value and its amount may be, in whole steps', () => {
    const held = { maker: 1 };
    expect(left({ held, limits: { orderValueMax: 50 } }, SELL)).toBe(0.505);
    expect(left({ held, limits: { orderValueMax: 50, orderAmountMax: 0.3 } }, SELL)).toBe(0.3);
    expect(left({ held, limits: { orderValueMax: 50, orderAmountMax: 0.6 } }, SELL)).toBe(0.505);
  });

  it('leaves what is free of that', () => {
    const setup = { held: { maker: 1 }, limits: { orderValueMax: 50 } } as const;
    expect(left({ ...setup, balances: { btc: ['0.2', '0'] } }, SELL)).toBe(0.2);
  });

  it('is refused whole where it opens, rests, or no step is left', () => {
    const limits = { orderValueMax: 50 };
    expect(left({ held: { maker: 0.9 }, limits }, SELL)).toBe('aboveMaximum');
    const resting = { ...SELL, type: 'limit', price: 101 };
    expect(left({ held: { maker: 1 }, limits }, resting)).toBe('aboveMaximum');
    expect(left({ held: { maker: 1 }, limits: { orderValueMax: 0.05 } }, SELL)).toBe(
      'aboveMaximum',
    );
  });
});

const EXIT = { side: 'sell', type: 'ioc', price: 99 };

function answers(setup: RiskSetup, draft: Parameters<typeof makeDraft>[0]) {
  const { gate, bus } = makeGate(setup);
  const told: TradingEvent[] = [];
  bus.on('refusal').subscribe((event) => told.push(event));
  const answer = gate.order(makeDraft(draft));
  return { answer: isRefusal(answer) ? answer.code : answer.value.amount, told };
}

describe('RiskGate.order: an exit that the free balance does not pay for in full', () => {
  it('leaves cut down to whole steps of what it pays for, and what is cut off is told', () => {
    const balances = { btc: ['0.99809', '0'] } as const;
    const { answer, told } = answers({ held: { maker: 1 }, balances }, { ...EXIT, tag: 'out' });
    expect(answer).toBe(0.998);
    const observed = '1 btc, of which 0.998 leave';
    const refusal = { code: 'balance', limit: 'at most 0.998 btc', observed, scope: 'account' };
    expect(told).toMatchObject([
      { market: 'btc_usdt', strategy: 'maker', tag: 'out', left: 0.998, refusal },
    ]);
  });

  it.each([
    ['sell', { maker: 1 }, 99],
    ['buy', { maker: -1 }, 101],
  ] as const)('is refused where nobody knows what is free: a %s', (side, held, price) => {
    expect(answers({ held, balances: {} }, { ...EXIT, side, price }).answer).toBe('balance');
  });

  it('buys back as much as the money is worth at its price', () => {
    const setup = { held: { maker: -1 }, balances: { usdt: ['100.3', '0'] } } as const;
    const { answer } = answers(setup, { ...EXIT, side: 'buy', price: 101 });
    expect(answer).toBe(0.993);
  });

  it('keeps what it is charged beside its value', () => {
    const charges = { perOrder: Decimal.of(5), perUnit: Decimal.ZERO, least: Decimal.ZERO };
    const feeRates = { maker: 0, taker: 0, charges };
    const setup = { held: { maker: -1 }, balances: { usdt: ['105.3', '0'] }, feeRates } as const;
    const { answer } = answers(setup, { ...EXIT, side: 'buy', price: 101 });
    expect(answer).toBe(0.993);
  });

  it('says that the pace of orders holds it where nothing else does', () => {
    const limits = { strategyOrdersPerWindowMax: 1 };
    const balances = { btc: ['0.99809', '0'], usdt: ['1000', '0'] } as const;
    const { gate } = makeGate({ limits, held: { maker: 1 }, balances });
    expect(isRefusal(gate.order(makeDraft({ price: 90, amount: 0.1 })))).toBe(false);
    expect(gate.order(makeDraft(EXIT))).toMatchObject({ code: 'orderRate' });
  });

  it.each([
    ['it opens as well', { held: { maker: 0.9 } }, EXIT],
    ['the position is that of another', { held: { other: 1 } }, EXIT],
    ['it rests', { held: { maker: 1 } }, { ...EXIT, type: 'limit', price: 101 }],
    ['what remains is no order', { held: { maker: 1 }, balances: { btc: ['0.005', '0'] } }, EXIT],
  ] as const)('is refused whole where %s', (_what, setup, draft) => {
    const { answer, told } = answers({ balances: { btc: ['0.99', '0'] }, ...setup }, draft);
    expect([answer, told]).toEqual(['balance', []]);
  });

  it.each([
    ['waits for the balance behind a fill', '0.5', 'balance'],
    ['leaves at once where a fee may be all that is missing', '0.99', 0.99],
  ])('%s', (_, btc, atOnce) => {
    const { gate, clock, send, fill, take } = makeTrader({ balances: plenty(btc) });
    clock.advanceBy(1);
    const entry = send({ type: 'ioc', price: 101 });
    take(entry);
    fill(entry);
    const exit = () => {
      const answer = gate.order(makeDraft(EXIT));
      return isRefusal(answer) ? answer.code : answer.value.amount;
    };
    expect(exit()).toBe(atOnce);
    clock.advanceBy(2_000);
    expect(exit()).toBe(Number(btc));
  });
});

function plenty(btc: string) {
  return { btc: [btc, '0'], usdt: ['1e9', '0'] } as const;
}

describe('RiskGate.order: an exit beside other own orders', () => {
  it('says that own orders are in the way where nothing else is', () => {
    const live = [{ side: 'buy', price: 99.5 }] as const;
    const held = { maker: 1 };
    expect(answers({ held, live, limits: { orderValueMax: 50 } }, EXIT).answer).toBe('selfCross');
    const balances = { btc: ['0', '0'], usdt: ['1000', '0'] } as const;
    expect(answers({ held, live, balances }, EXIT).answer).toBe('balance');
    const unpaced = answers({ held, live, limits: { ordersPerWindowMax: 1 } }, EXIT);
    expect(unpaced.answer).toBe('selfCross');
  });

  it('leaves as far as what rests beside it leaves room, where trading is reducing or so bounded', () => {
    const live = [{ side: 'sell', price: 101, amount: 0.4, strategy: 'other' }] as const;
    const setup = { held: { maker: 1 }, live } as const;
    expect(answers({ ...setup, limits: { shortMax: 0 } }, EXIT).answer).toBe(0.6);
    expect(answers({ ...setup, limits: { shortMax: 0.1 } }, EXIT).answer).toBe(0.7);
    const reduced = (strategy: string) => {
      const { gate, state } = makeGate({ ...setup, live: [{ ...live[0], strategy }] });
      state.set('REDUCING', 'test');
      return gate.order(makeDraft(EXIT));
    };
    expect(reduced('maker')).toMatchObject({ value: { amount: 0.6 } });
    // Once the position is gone it opens one by itself, and is cancelled for that.
    expect(reduced('other')).toMatchObject({ value: { amount: 1 } });
    const all = [{ ...live[0], amount: 1 }] as const;
    expect(answers({ ...setup, live: all, limits: { shortMax: 0 } }, EXIT).answer).toBe('position');
  });

  it('is none beside another that is under way: together they would open', () => {
    const live = [{ side: 'sell', type: 'ioc', price: 99, amount: 0.9 }] as const;
    const setup = { held: { maker: 1 }, live, limits: { openValueMax: 100 } } as const;
    expect(answers(setup, EXIT).answer).toBe('openValue');
    expect(answers(setup, { ...EXIT, amount: 0.1 }).answer).toBe(0.1);
  });
});
