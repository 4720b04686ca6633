import { describe, expect, it } from 'vitest';
import type { LiveOrder } from '../../src/domain/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { makeDepth, makeDraft, makeHeld, makeTrader } from './fixture.ts';

type Trader = ReturnType<typeof makeTrader>;

const EXIT = { side: 'sell', type: 'ioc', price: 99.9, amount: 10, strategy: 'taker' } as const;
const WIDE = { longMax: 30, shortMax: 20, positionValueMax: 1e6, openValueMax: 1e6 };

/** A taker that holds 10, beside a maker whose asks are of those amounts, from 101 upwards. */
function withAsks(asks: readonly number[], limits: object = {}, strategy = 'maker'): Trader {
  const trader = makeTrader({ limits: { ...WIDE, orderValueMax: 1e6, ...limits } });
  trader.positions.restore(makeHeld({ strategy: 'taker', held: 10, price: 100 }));
  asks.forEach((amount, at) => {
    trader.take(trader.send({ side: 'sell', price: 101 + at, amount, strategy }));
  });
  return trader;
}

function takers(
  { gate }: Trader,
  { givesWay = (_order: LiveOrder) => true, ...overrides }: Record<string, unknown> = {},
): readonly number[] {
  const draft = makeDraft({ ...EXIT, ...overrides });
  return gate
    .roomTakers(draft, givesWay as (order: LiveOrder) => boolean)
    .map(({ price }) => price);
}

describe('RiskGate.roomTakers', () => {
  it('are none where the exit leaves whole', () => {
    expect(takers(withAsks([8, 8]))).toEqual([]);
    expect(takers(withAsks([8, 8, 4]))).toEqual([]);
  });

  it('are as few as it takes, the large ones first, then the far ones', () => {
    expect(takers(withAsks([8, 8, 8]))).toEqual([103]);
    expect(takers(withAsks([4, 8, 8, 8]))).toEqual([104]);
    expect(takers(withAsks([8, 12, 8]))).toEqual([102]);
    expect(takers(withAsks([2, 9, 9, 9]))).toEqual([104]);
  });

  it('are enough for what its value may be', () => {
    const limits = { shortMax: undefined, positionValueMax: 1_900 };
    expect(takers(withAsks([9, 9, 9], limits))).toEqual([103]);
  });

  it('are all beside a book of which only a stub is left: at no price it is worth little enough', () => {
    const trader = withAsks([8, 8, 8], { bandFraction: 1e15 });
    trader.knobs.depth = makeDepth(1e14, 1e14 + 1);
    expect(takers(trader)).toEqual([103, 102, 101]);
  });

  it.each([0, 1, 2])('are those that leave already, before any other: %d', (at) => {
    const trader = withAsks([8, 8, 8]);
    const leaving = trader.orders.live('btc_usdt')[at]!;
    const news = { kind: 'cancelling', time: 0, evidence: 'request' } as const;
    trader.orders.apply(leaving.clientOrderId, news);
    expect(takers(trader)).toEqual([leaving.price]);
  });
});

describe('RiskGate.roomTakers, which they are,', () => {
  it('are of the other side where a short position is bought back', () => {
    const bid = { side: 'buy', amount: 8, strategy: 'maker' } as const;
    const prices = [96, 98, 97];
    const trader = makeTrader({
      limits: { ...WIDE, longMax: 20, orderValueMax: 1e6 },
      held: { taker: -10 },
      live: prices.map((price) => ({ ...bid, price })),
    });
    const cover = { side: 'buy', price: 100.1 };
    expect(takers(trader, cover)).toEqual([96]);
    expect(takers(trader, { ...cover, givesWay: ({ price }: LiveOrder) => price > 96 })).toEqual([
      97,
    ]);
  });

  it.each([
    ['all but the nearest that just fits', 9, [102, 103]],
    ['all but the small one that fits beside the nearest', 5, [101, 103]],
    ['the farthest that does not fit beside both', 18, [103]],
    ['none that fit', 22, []],
  ])('are what its strategy does not hold: %s', (_, held, expected) => {
    const ask = { side: 'sell', amount: 9, strategy: 'maker' } as const;
    const trader = makeTrader({
      limits: { ...WIDE, shortMax: 0, orderValueMax: 1e6 },
      held: { taker: 10, maker: held },
      live: [
        { ...ask, price: 103 },
        { ...ask, price: 101 },
        { ...ask, price: 102, amount: 4 },
        { ...ask, side: 'buy', price: 95, amount: 20 },
      ],
    });
    expect(takers(trader).toSorted()).toEqual(expected);
  });

  it('are none of what their strategy holds, and none of its own', () => {
    const trader = withAsks([8, 8, 8]);
    trader.positions.restore(makeHeld({ strategy: 'maker', held: 9, price: 100 }));
    expect(takers(trader, { amount: 10 })).toEqual([]);
    const own = withAsks([8, 8, 8], {}, 'taker');
    expect(takers(own)).toEqual([]);
  });

  it.each([
    ['a part of the exit leaves then', { orderValueMax: 950 }],
    ['it waits for the pace alone then', { ordersPerWindowMax: 3 }],
  ])('are the same where %s', (_, limits) => {
    expect(takers(withAsks([8, 8, 8], limits))).toEqual([103]);
  });

  it('are none where what stays leaves no room either', () => {
    const trader = withAsks([4, 16, 16], { shortMax: 26 });
    trader.positions.restore(makeHeld({ strategy: 'other', held: -10, price: 100 }));
    const givesWay = ({ price }: LiveOrder) => price === 101;
    expect(takers(trader, { givesWay })).toEqual([]);
  });

  it('are none in a market that is not known', () => {
    expect(takers(withAsks([8, 8, 8]), { market: 'x_y' })).toEqual([]);
  });

  it('are none where nothing could leave for them, or what is asked for is no exit', () => {
    const trader = withAsks([8, 8, 8]);
    expect(takers(trader, { amount: 11 })).toEqual([]);
    expect(takers(trader, { type: 'limit' })).toEqual([]);
    expect(takers(trader, { givesWay: ({ price }: LiveOrder) => price === 101 })).toEqual([101]);
    expect(takers(trader, { givesWay: () => false })).toEqual([]);
    expect(takers(withAsks([8, 8, 8], { collarFraction: 0.02 }), { price: 50 })).toEqual([]);
    trader.view.state.set('HALTED', 'test');
    expect(takers(trader)).toEqual([]);
  });
});

describe('RiskGate.roomTakers of an exit whose coins are held', () => {
  /** The account holds only the taker's 1, of which an ask of the maker holds back 0.9. */
  function coined(): Trader {
    return makeTrader({
      held: { taker: 1 },
      live: [{ side: 'sell', price: 103, amount: 0.9, strategy: 'maker' }],
      balances: { btc: ['0.1', '0.9'], usdt: ['1e9', '0'] },
    });
  }

  it('are what holds them', () => {
    expect(takers(coined(), { amount: 1 })).toEqual([103]);
    expect(takers(coined(), { amount: 0.1 })).toEqual([]);
  });

  it('are what leaves an order with what is free', () => {
    const live = [{ side: 'sell', price: 103, amount: 0.009, strategy: 'maker' }] as const;
    const trader = makeTrader({ held: { taker: 1 }, live, balances: { btc: ['0.1', '0.009'] } });
    expect(takers(trader, { amount: 1 })).toEqual([103]);
  });

  it('are what holds enough of the money, by its own price', () => {
    const bid = { side: 'buy', strategy: 'maker', status: 'pending' } as const;
    const live = [
      { ...bid, price: 50, amount: 3 },
      { ...bid, price: 40, amount: 2 },
    ];
    const balances = { btc: ['0', '0'], usdt: ['180', '0'] } as const;
    const trader = makeTrader({ held: { taker: -1 }, live, balances });
    expect(takers(trader, { side: 'buy', price: 100, amount: 1 })).toEqual([50]);
    const poorer = { ...balances, usdt: ['100', '0'] as const };
    const other = makeTrader({ held: { taker: -1 }, live, balances: poorer });
    expect(takers(other, { side: 'buy', price: 100, amount: 1 })).toEqual([50, 40]);
  });

  it('are none where only the part that they would free could leave, not the whole', () => {
    const trader = makeTrader({
      held: { taker: 4, maker: -13.5 },
      live: [{ side: 'sell', price: 101, amount: 0.25, strategy: 'maker' }],
      balances: { btc: ['0', '0.25'], usdt: ['1e9', '0'] },
      limits: { positionValueMax: 975 },
    });
    expect(takers(trader, { amount: 0.5 })).toEqual([]);
  });

  it('are none where others hold what they would free', () => {
    const live = [{ side: 'sell', price: 103, amount: 0.05, strategy: 'maker' }] as const;
    const trader = makeTrader({
      ...{ held: { taker: 1 }, live, balances: { btc: ['0', '1'] } },
      foreign: [{ side: 'sell', price: 105, amount: 1 }],
    });
    expect(takers(trader, { amount: 1 })).toEqual([]);
  });

  it.each([
    ['not for those of a fill of its own side', 'sell', [103]],
    ['for those of a fill of the other side', 'buy', []],
  ] as const)('wait for news of coins %s', (_what, side, expected) => {
    const trader = coined();
    trader.clock.advanceBy(1);
    trader.fill(trader.send({ side, type: 'ioc', price: 100, amount: 0.05, strategy: 'taker' }));
    expect(takers(trader, { amount: 0.9 })).toEqual(expected);
    trader.clock.advanceBy(2_000);
    expect(takers(trader, { amount: 0.9 })).toEqual([103]);
  });

  it.each([
    ['not for those of a fill of its own side', 'buy', [90]],
    ['for those of a fill of the other side', 'sell', []],
  ] as const)('wait for news of money %s', (_what, side, expected) => {
    const trader = makeTrader({
      held: { taker: -1 },
      live: [{ side: 'buy', price: 90, amount: 1, strategy: 'maker' }],
      balances: { btc: ['10', '0'], usdt: ['11', '90'] },
    });
    const cover = { side: 'buy', price: 100.1, amount: 0.9 };
    trader.clock.advanceBy(1);
    trader.fill(trader.send({ side, type: 'ioc', price: 100, amount: 0.05, strategy: 'taker' }));
    expect(takers(trader, cover)).toEqual(expected);
    trader.clock.advanceBy(2_000);
    expect(takers(trader, cover)).toEqual([90]);
  });
});

describe('RiskGate.roomTakers of an exit whose coins orders of other markets hold', () => {
  const ETH_BTC = makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc', priceScale: 4 });
  const BTC_EUR = makeMarket({ id: 'btc_eur', quote: 'eur' });
  const maker = { strategy: 'maker' } as const;

  /** A taker that holds 1, of which 0.05 are free. */
  function elsewhere(held: Record<string, number> = {}): Trader {
    const bid = { ...maker, side: 'buy', market: ETH_BTC.id } as const;
    return makeTrader({
      markets: [makeMarket(), ETH_BTC, BTC_EUR],
      held: { taker: 1, ...held },
      live: [
        { ...maker, side: 'sell', price: 103, amount: 0.2 },
        { ...bid, price: 0.05, amount: 5 },
        { ...bid, price: 0.04, amount: 10 },
        { ...bid, side: 'sell', price: 0.06, amount: 50 },
        { ...maker, side: 'sell', market: BTC_EUR.id, price: 90, amount: 0.1 },
      ],
      balances: { btc: ['0.05', '0.95'], usdt: ['1e9', '0'] },
    });
  }

  it.each([
    ['none where enough is free', 0.05, []],
    ['of its own market where these are enough', 0.25, [103]],
    ['the largest elsewhere beside those', 0.26, [103, 0.04]],
    ['as few of them as it takes', 0.66, [103, 0.04, 0.05]],
    ['all that hold them, whatever their side', 1, [103, 0.04, 0.05, 90]],
  ])('are %s', (_what, amount, expected) => {
    expect(takers(elsewhere(), { amount })).toEqual(expected);
  });

  it('are those alone that may give way, and open', () => {
    const givesWay = ({ market }: LiveOrder) => market === BTC_EUR.id;
    expect(takers(elsewhere(), { amount: 1, givesWay })).toEqual([90]);
    const trader = elsewhere({ maker: 1 });
    const short = makeHeld({ strategy: 'maker', held: -12, price: 0.05 });
    trader.positions.restore({ ...short, market: ETH_BTC.id });
    expect(takers(trader, { amount: 1 })).toEqual([0.04, 90]);
  });
});
