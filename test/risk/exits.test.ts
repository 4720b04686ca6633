import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import { partOf } from '../../src/risk/exits.ts';
import { makeMarket } from '../domain/fixture.ts';
import { makeDraft, makeHeld, makeQuotes, makeTarget, makeTrader } from './fixture.ts';

type Trader = ReturnType<typeof makeTrader>;

const EXIT = { side: 'sell', type: 'ioc', price: 99.9, amount: 10, strategy: 'taker' } as const;
const BLACKOUTS = [{ from: '00:00', to: '12:00' }];

/** A trader whose taker holds 10, and has an ask of 4 of them resting. */
function withTakeProfit(limits: object): Trader {
  const trader = makeTrader({ limits });
  trader.positions.restore(makeHeld({ strategy: 'taker', held: 10, price: 100 }));
  trader.send({ side: 'sell', price: 101, amount: 4, strategy: 'taker' });
  return trader;
}

describe('RiskGate.order: an exit beside a take profit of its strategy', () => {
  it.each([
    ['dailyOrders', { ordersPerDayMax: 1 }],
    ['dailyValue', { tradedValuePerDayMax: 450 }],
    ['priceBounds', { priceMin: 100 }],
    ['blackout', { blackouts: BLACKOUTS }],
    ['priceBounds, and the most of one order', { priceMin: 100, orderAmountMax: 8 }],
    ['blackout, and the most of one order', { blackouts: BLACKOUTS, orderAmountMax: 8 }],
  ])('leaves as far as that leaves room, where it meets %s', (_, limits) => {
    expect(withTakeProfit(limits).gate.order(makeDraft(EXIT))).toMatchObject({
      value: { amount: 6 },
    });
  });

  it('is refused whole where all that is against it is that it repeats another', () => {
    const { send } = withTakeProfit({ duplicateWindowMs: 1_000 });
    const exit = { ...EXIT, amount: 4, price: 99.8, tag: 'stop' };
    expect(send(exit)).toMatch(/^order/);
    expect(send(exit)).toBe('duplicate');
  });

  it('is told with what leaves of it', () => {
    const { gate, bus } = withTakeProfit({ ordersPerDayMax: 1 });
    const told: unknown[] = [];
    bus.on('refusal').subscribe(({ tag, left }) => told.push([tag, left]));
    gate.order(makeDraft({ ...EXIT, tag: 'stop' }));
    expect(told).toEqual([['stop', 6]]);
  });

  it('does so while many requests fail, and after fills that lost soon', () => {
    const failing = withTakeProfit({ apiErrorsPerWindowMax: 1 });
    const failure = { kind: 'requestFailure', operation: 'cancel', outcome: 'unknown' } as const;
    const time = failing.clock.now();
    for (const reason of ['one', 'two'])
      failing.bus.publish({ ...failure, market: 'btc_usdt', time, reason });
    expect(failing.gate.order(makeDraft(EXIT))).toMatchObject({ value: { amount: 6 } });

    const lost = makeTrader({
      limits: { markoutLossMax: 0.01, markoutMs: 1_000, markoutFills: 1 },
      held: { taker: 12 },
    });
    lost.fill(lost.send({ side: 'sell', price: 95, amount: 2, strategy: 'taker' }));
    lost.send({ side: 'sell', price: 101, amount: 4, strategy: 'taker' });
    lost.clock.advanceBy(2_000);
    lost.bus.publish({ kind: 'depth', ...lost.knobs.depth! });
    expect(lost.gate.order(makeDraft(EXIT))).toMatchObject({ value: { amount: 6 } });
  });

  it('does so after losses in a row', () => {
    const trader = makeTrader({ limits: { lossesInRowMax: 1 }, held: { taker: 12 } });
    for (const price of [99, 98]) {
      trader.fill(trader.send({ side: 'sell', price, amount: 1, strategy: 'taker' }));
      trader.clock.advanceBy(2_000);
    }
    trader.send({ side: 'sell', price: 101, amount: 4, strategy: 'taker' });
    expect(trader.gate.order(makeDraft(EXIT))).toMatchObject({ value: { amount: 6 } });
  });

  it('does so while a market that is held has no price', () => {
    const trader = withTakeProfit({});
    const { prices } = trader.view;
    const { depth, last } = prices;
    Object.assign(prices, {
      depth: (id: string) => (id === 'eth_usdt' ? undefined : depth(id)),
      last: (id: string) => (id === 'eth_usdt' ? undefined : last(id)),
    });
    const held = makeHeld({ strategy: 'other', held: 1, price: 100 });
    trader.positions.restore({ ...held, market: 'eth_usdt' });
    expect(trader.gate.order(makeDraft(EXIT))).toMatchObject({ value: { amount: 6 } });
  });
});

describe('RiskGate.order: an exit of more coins than there are, beside fills without end', () => {
  it.each([
    ['leaves with what there is, once the balance was told since the last', 100, 8],
    ['leaves so, too, where the balance is told in the moment of each', 0, 8],
    ['waits while the balance behind the last may be under way', undefined, undefined],
  ])('%s', (_, toldAfterMs, amount) => {
    const usdt = ['1e9', '0'] as const;
    const trader = makeTrader({ held: { taker: 10 }, balances: { btc: ['8', '0'], usdt } });
    const { balances, clock, fill, gate, send } = trader;
    for (let second = 0; second < 5; second++) {
      clock.advanceBy(900);
      fill(send({ amount: 0.02, price: 99, strategy: 'maker' }));
      if (toldAfterMs === undefined) continue;
      clock.advanceBy(toldAfterMs);
      const told = { currency: 'btc', available: Decimal.of(8), frozen: Decimal.ZERO };
      balances.update([told], 'push');
    }
    const answer = gate.order(makeDraft({ ...EXIT, amount: 10 }));
    expect('value' in answer ? answer.value.amount : undefined).toBe(amount);
  });
});

describe('RiskGate.order: an exit beside another strategy that is short', () => {
  it.each([
    ['exposure', { exposureMax: 500 }],
    ['position', { positionValueMax: 500 }],
  ])('leaves as far as it brings the market nearer to flat, where it meets %s', (_, limits) => {
    const { positions, gate } = makeTrader({ limits });
    positions.restore(makeHeld({ strategy: 'taker', held: 10, price: 100 }));
    positions.restore(makeHeld({ strategy: 'maker', held: -8, price: 100 }));
    expect(gate.order(makeDraft(EXIT))).toMatchObject({ value: { amount: 2 } });
  });
});

describe('RiskGate: an ask of a strategy that holds nothing beside the position of another', () => {
  const ask = { side: 'sell', price: 101, amount: 10, strategy: 'maker' } as const;
  const withAsk = (limits: object = {}) => {
    const trader = makeTrader({ limits, held: { taker: 10 } });
    const asked = trader.send(ask);
    if (trader.orders.get(asked)) trader.take(asked);
    return { ...trader, asked };
  };
  const reduced = () => {
    const trader = withAsk();
    trader.state.set('REDUCING', 'test');
    return trader;
  };

  it.each([
    ['while trading is reducing', reduced],
    ['below the lowest price', () => withAsk({ priceMin: 100.5 })],
  ])('keeps no exit from leaving %s', (_, make) => {
    const { gate, asked } = make();
    expect(asked).toMatch(/^order/);
    expect(gate.order(makeDraft(EXIT))).toMatchObject({ value: { amount: 10 } });
  });

  it.each([
    ['limit', 'pending', 6],
    ['limit', 'unknown', 6],
    ['ioc', 'cancelling', 6],
    ['limit', 'cancelling', 10],
    ['postOnly', 'pending', 10],
  ] as const)('is in its way while it may be taking: %s %s', (type, status, amount) => {
    const { gate, state } = makeTrader({
      held: { taker: 10 },
      live: [{ side: 'sell', type, price: 101, amount: 4, strategy: 'maker', status }],
    });
    state.set('REDUCING', 'test');
    expect(gate.order(makeDraft(EXIT))).toMatchObject({ value: { amount } });
  });

  it('shrinks nothing of its own: it goes while trading is reducing, and is not wished again', () => {
    const { gate, asked } = reduced();
    expect(gate.unwelcome().map(({ clientOrderId }) => clientOrderId)).toEqual([asked]);
    const quoted = gate.intent('maker', makeQuotes([], [[101, 10]]));
    expect(quoted).toMatchObject({ approved: { value: { asks: [] } } });
    expect(gate.intent('maker', makeTarget(-5)).refusals).toMatchObject([{ code: 'reducing' }]);
  });

  it('does not come in during a blackout', () => {
    expect(withAsk({ blackouts: BLACKOUTS }).asked).toBe('blackout');
  });
});

describe('RiskGate.order: an exit that the value of all orders of its side holds', () => {
  const live = (side: 'buy' | 'sell') =>
    [{ side, price: 100, amount: 2, strategy: 'other' }] as const;

  it.each([
    ['nothing else', {}],
    ['no short position', { shortMax: 0 }],
    ['a wide one', { shortMax: 10 }],
    ['one that all orders just fit into', { shortMax: 2 }],
    ['one of too much value', { shortMax: 1, positionValueMax: 50 }],
  ])('leaves as far as the market is flat then, beside %s that it may be', (_, limits) => {
    const { gate } = makeTrader({
      ...{ held: { taker: 3 }, live: live('sell') },
      limits: { positionValueMax: 150, ...limits },
    });
    expect(gate.order(makeDraft({ ...EXIT, amount: 3 }))).toMatchObject({ value: { amount: 1 } });
  });

  it.each([
    ['its value', { positionValueMax: 150, longMax: 10 }, 1],
    ['its amount', { longMax: 1 }, 2],
  ])('does so of a short position, and as far as %s may be', (_, limits, amount) => {
    const { gate } = makeTrader({ held: { taker: -3 }, live: live('buy'), limits });
    const cover = { ...EXIT, side: 'buy', price: 101, amount: 3 } as const;
    expect(gate.order(makeDraft(cover))).toMatchObject({ value: { amount } });
  });
});

describe('partOf', () => {
  it('is the most, or the half where that would leave less than two least orders', () => {
    const limits = { most: 100n, least: 5n };
    expect(partOf(300n, limits)).toBe(100n);
    expect(partOf(110n, limits)).toBe(100n);
    expect(partOf(109n, limits)).toBe(55n);
    expect(partOf(101n, limits)).toBe(51n);
    expect(partOf(100n, limits)).toBe(100n);
  });

  it('is the most where the half is no order either, too little or too much', () => {
    expect(partOf(11n, { most: 10n, least: 9n })).toBe(10n);
    expect(partOf(30n, { most: 10n, least: 30n })).toBe(10n);
    expect(partOf(18n, { most: 10n, least: 9n })).toBe(9n);
    expect(partOf(27n, { most: 10n, least: 9n })).toBe(10n);
  });

  it('leaves parts that are all orders, wherever one order may trade twice the least', () => {
    const units = fc.bigInt({ min: 1n, max: 10_000n });
    fc.assert(
      fc.property(units, units, units, (least, beyond, wanted) => {
        const most = 2n * least + beyond;
        let left = wanted + least;
        while (left > most) {
          const part = partOf(left, { most, least });
          expect(part >= least && part <= most).toBe(true);
          left -= part;
        }
        expect(left >= least).toBe(true);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe('RiskGate.order: an exit that is more than one order may be', () => {
  const part = { side: 'sell', type: 'ioc' } as const;
  const leaves = (amount: number, limits: object, { price = 100, minAmount = 0.0001 } = {}) => {
    const markets = [makeMarket({ minAmount })];
    const { gate } = makeTrader({ held: { maker: 3 }, limits, markets });
    return gate.order(makeDraft({ ...part, amount, price }));
  };

  it('leaves in halves where the rest would be below the least amount or value', () => {
    const limits = { orderValueMax: 100 };
    expect(leaves(1.005, limits)).toMatchObject({ value: { amount: 0.5025 } });
    expect(leaves(1.2, limits)).toMatchObject({ value: { amount: 1 } });
    const most = { orderAmountMax: 1 };
    expect(leaves(1.0015, most)).toMatchObject({ value: { amount: 0.5008 } });
    expect(leaves(1.02, most)).toMatchObject({ value: { amount: 1 } });
    // The least order is of 0.0101 there, for 0.01 would be worth less than 1.
    expect(leaves(1.0201, most, { price: 99.7 })).toMatchObject({ value: { amount: 0.5101 } });
    expect(leaves(1.15, most, { minAmount: 0.1 })).toMatchObject({ value: { amount: 0.575 } });
  });
});
