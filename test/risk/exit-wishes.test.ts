import { describe, expect, it } from 'vitest';
import {
  makeDepth,
  makeDraft,
  makeOrderIntent,
  makeTarget,
  makeTrader,
  pendingOf,
  type RiskSetup,
} from './fixture.ts';

const BLACKOUTS = [{ from: '00:00', to: '00:00' }];
const STOP = { side: 'sell', type: 'ioc', price: 99, amount: 2, tag: 'stop' } as const;

/** Traders that may only shrink a position, one for each cause of that. */
const SHUT: readonly (readonly [
  string,
  (held: NonNullable<RiskSetup['held']>) => ReturnType<typeof makeTrader>,
])[] = [
  [
    'reducing',
    (held) => {
      const trader = makeTrader({ held });
      trader.state.set('REDUCING', 'daily loss');
      return trader;
    },
  ],
  ['blackout', (held) => makeTrader({ held, limits: { blackouts: BLACKOUTS } })],
  ['priceBounds', (held) => makeTrader({ held, limits: { priceMin: 200 } })],
  [
    'markout',
    (held) => {
      const limits = { markoutLossMax: 0.01, markoutMs: 1, markoutFills: 1 };
      const trader = makeTrader({ held, limits });
      const { bus, clock, knobs, fill, send } = trader;
      fill(send({ strategy: 'loser' }));
      clock.advanceBy(1);
      const { depth } = knobs;
      knobs.depth = makeDepth(97, 98);
      bus.publish({ kind: 'depth', ...knobs.depth });
      knobs.depth = depth;
      fill(send({ side: 'sell', type: 'ioc', price: 99.9, strategy: 'loser' }));
      return trader;
    },
  ],
];

describe('RiskGate.intent: a target that shrinks what its strategy holds', () => {
  it.each(SHUT)('passes whatever others hold against it: %s', (_code, make) => {
    const { gate } = make({ trend: 12, other: -4 });
    const target = makeTarget(0);
    expect(gate.intent('trend', target)).toMatchObject({
      approved: { value: target },
      refusals: [],
    });
    // How much of it may leave is decided for its order: the market is flat then.
    const exit = { side: 'sell', type: 'ioc', price: 99.9, amount: 12, strategy: 'trend' } as const;
    expect(gate.order(makeDraft(exit))).toMatchObject({ value: { amount: 8 } });
  });

  it.each(SHUT)('is refused where it grows that: %s', (code, make) => {
    const { gate } = make({ trend: 1 });
    const { approved, refusals } = gate.intent('trend', makeTarget(2));
    expect(approved?.value).toMatchObject({ kind: 'quotes', bids: [], asks: [] });
    expect(refusals).toMatchObject([{ code }]);
  });

  it('is refused while trading is halted, or its data are stale', () => {
    const { gate, knobs, state } = makeTrader({ held: { trend: 1 } });
    knobs.fresh = false;
    expect(gate.intent('trend', makeTarget(0)).refusals).toMatchObject([{ code: 'staleData' }]);
    state.set('HALTED', 'test');
    expect(gate.intent('trend', makeTarget(0)).refusals).toMatchObject([{ code: 'tradingState' }]);
  });
});

describe('RiskGate.intent: a target on the other side of flat', () => {
  it.each(SHUT)('leads to flat where the rest may not be: %s', (code, make) => {
    const { gate } = make({ trend: 1 });
    const { approved, refusals } = gate.intent('trend', makeTarget(-1));
    expect(approved?.value).toEqual(makeTarget(0));
    expect(refusals).toMatchObject([{ code }]);
  });

  it.each([
    ['position', { shortMax: 0 }],
    ['exposure', { exposureMax: 101 }],
  ])('leads to flat where a limit keeps the rest away: %s', (code, limits) => {
    const { gate } = makeTrader({ held: { trend: 1 }, limits });
    const { approved, refusals } = gate.intent('trend', makeTarget(-2));
    expect(approved?.value).toEqual(makeTarget(0));
    expect(refusals).toMatchObject([{ code }]);
  });

  it('passes whole where nothing is against it', () => {
    const { gate } = makeTrader({ held: { trend: 1 } });
    const target = makeTarget(-1);
    expect(gate.intent('trend', target)).toMatchObject({
      approved: { value: target },
      refusals: [],
    });
  });

  it('leads nowhere while trading is halted, nor from flat', () => {
    const { gate, state } = makeTrader({ held: { trend: 1 } });
    state.set('REDUCING', 'test');
    const nothing = { kind: 'quotes', bids: [], asks: [] };
    expect(gate.intent('other', makeTarget(-1)).approved?.value).toMatchObject(nothing);
    state.set('HALTED', 'test');
    expect(gate.intent('trend', makeTarget(-1)).approved?.value).toMatchObject(nothing);
  });
});

describe('RiskGate.intent: an order that takes and shrinks what its strategy holds', () => {
  it.each([
    ['aboveMaximum', { orderValueMax: 99 }, 1],
    ['aboveMaximum', { orderAmountMax: 1.5 }, 1.5],
    ['openOrders', { openOrdersPerSideMax: 1 }, 2],
  ])('passes what its order is cut to, or free of: %s %j', (_code, limits, leaves) => {
    const live = [{ side: 'sell', price: 105, strategy: 'other' }] as const;
    const { gate } = makeTrader({ held: { maker: 2, other: 1 }, live, limits });
    expect(gate.intent('maker', makeOrderIntent(STOP)).refusals).toEqual([]);
    const order = gate.order(makeDraft({ ...STOP, strategy: 'maker' }));
    expect(order).toMatchObject({ value: { amount: leaves } });
  });

  it.each(SHUT)('passes beside a take profit of its own: %s', (_code, make) => {
    const { gate, send } = make({ maker: 2 });
    send({ side: 'sell', price: 210, amount: 1, strategy: 'maker', tag: 'profit' });
    expect(gate.intent('maker', makeOrderIntent(STOP)).refusals).toEqual([]);
  });

  it.each(SHUT)('passes in place of one by its tag that is under way: %s', (_code, make) => {
    const { gate, orders, take } = make({ maker: 2 });
    const opening = { clientOrderId: 'opens', side: 'sell', price: 210, strategy: 'other' };
    orders.create(pendingOf(makeDraft(opening)));
    take('opens');
    orders.create(pendingOf(makeDraft({ ...STOP, clientOrderId: 'first', strategy: 'maker' })));
    expect(gate.intent('maker', makeOrderIntent(STOP)).refusals).toEqual([]);
    // Possible fills are judged when it leaves.
    expect(gate.order(makeDraft({ ...STOP, strategy: 'maker' }))).not.toHaveProperty('value');
  });

  it('is refused whole where it would turn the position', () => {
    const { gate } = makeTrader({ held: { maker: 1 }, limits: { shortMax: 0 } });
    expect(gate.intent('maker', makeOrderIntent(STOP)).refusals).toMatchObject([
      { code: 'position' },
    ]);
  });

  it('is refused whole where it may rest', () => {
    const { gate } = makeTrader({ held: { maker: 2 }, limits: { orderValueMax: 100 } });
    const limit = makeOrderIntent({ ...STOP, type: 'limit' });
    expect(gate.intent('maker', limit).refusals).toMatchObject([{ code: 'aboveMaximum' }]);
  });
});
