import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveOrder, Market, TargetIntent } from '../../../src/domain/index.ts';
import {
  isBeyondFlat,
  type TargetSituation,
  targetTerms,
  wayOut,
} from '../../../src/execution/desk/target.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { depthOf, MARKET, target } from '../fixture.ts';

interface Situation {
  readonly held?: string;
  readonly fee?: string;
  /** Its single orders that may be filling. */
  readonly filling?: readonly { side: 'buy' | 'sell'; amount: number; filledAmount: number }[];
  readonly book?: readonly [bid: number, ask: number];
  readonly market?: Market;
  readonly last?: number;
  /** Live orders of all strategies. */
  readonly live?: readonly { side: 'buy' | 'sell'; price: number; tag?: string }[];
}

function termsOf(intent: ReturnType<typeof target>, situation: Situation = {}) {
  const { held = '0', fee = '0', filling = [], live = [], book, last, market = MARKET } = situation;
  return targetTerms(intent as TargetIntent, {
    market,
    wanted: Decimal.of((intent as TargetIntent).position),
    held: Decimal.of(held),
    fee: Decimal.of(fee),
    filling: filling as readonly unknown[] as readonly LiveOrder[],
    live: live as readonly unknown[] as readonly LiveOrder[],
    prices: {
      depth: () => (book === undefined ? undefined : depthOf(book[0], book[1])),
      last: () => last,
    },
  });
}

const book = [99.5, 100.5] as const;

describe('targetTerms', () => {
  it('buys the missing amount through the best ask, never beyond the slippage', () => {
    expect(termsOf(target(2, { slippage: 0.0015 }), { book, held: '0.5' })).toMatchObject({
      ...{ side: 'buy', type: 'ioc', amount: 1.5, price: 100.65 },
    });
  });

  it('sells what is too much, rounding the price up', () => {
    expect(termsOf(target(-1, { slippage: 0.0015 }), { book })).toMatchObject({
      ...{ side: 'sell', amount: 1, price: 99.36 },
    });
  });

  it('stays a step short of own orders of the other side, where the book is nearer than they', () => {
    const live = [
      ...([98, 99.2, 99.1] as const).map((price) => ({ side: 'buy', price }) as const),
      ...([102, 100.8] as const).map((price) => ({ side: 'sell', price }) as const),
    ];
    const wide = { slippage: 0.01 };
    expect(termsOf(target(-1, wide), { book, live })).toMatchObject({ side: 'sell', price: 99.21 });
    expect(termsOf(target(1, wide), { book, live })).toMatchObject({ side: 'buy', price: 100.79 });
    expect(termsOf(target(-1, { priceLimit: 99 }), { book, live })).toMatchObject({ price: 99.21 });
  });

  it('stays short of them by the last price where no book is known', () => {
    const live = [
      { side: 'buy', price: 99.2, tag: 'order/grid' },
      { side: 'sell', price: 100.8, tag: 'quotes/ask/0' },
    ] as const;
    const opening = { live, last: 100 };
    const wide = { slippage: 0.01 };
    expect(termsOf(target(1, wide), opening)).toMatchObject({ side: 'buy', price: 100.79 });
    expect(termsOf(target(-1, wide), opening)).toMatchObject({ side: 'sell', price: 99.21 });
    expect(termsOf(target(1, wide), { live, last: 100.8 })).toMatchObject({ price: 101.8 });
    const exit = (held: string) => termsOf(target(0, wide), { ...opening, held });
    expect(exit('1'), 'of orders by a tag, for those stay').toMatchObject({ price: 99.21 });
    expect(exit('-1'), 'not of quotes, for those leave').toMatchObject({ price: 101 });
  });

  it.each([
    ['the best of the book, at', { bid: 99.5, ask: 100.5 }, { sell: 98.51, buy: 101.5 }],
    ['a step behind that, short of', { bid: 99.49, ask: 100.51 }, { sell: 99.5, buy: 100.5 }],
    ['beyond the limit, at', { bid: 98, ask: 103 }, { sell: 98.51, buy: 101.5 }],
    ['on no step, at', { bid: 99.445, ask: 100.555 }, { sell: 98.51, buy: 101.5 }],
  ])('goes by an own order that is %s it', (_what, own, expected) => {
    const live = [
      { side: 'buy', price: own.bid },
      { side: 'sell', price: own.ask },
    ] as const;
    const priceOf = (position: number) =>
      termsOf(target(position, { slippage: 0.01 }), { book, live });
    expect(priceOf(-1)).toMatchObject({ side: 'sell', price: expected.sell });
    expect(priceOf(1)).toMatchObject({ side: 'buy', price: expected.buy });
  });
});

describe('targetTerms, how much', () => {
  it('leaves the way to orders that may be filling on it, and counts none of the other side', () => {
    const filling = [{ side: 'buy', amount: 1, filledAmount: 0.25 } as const];
    expect(termsOf(target(2), { book, held: '0.25', filling })).toMatchObject({ amount: 1 });
    expect(termsOf(target(1), { book, held: '0.25', filling })).toBe('underWay');
    expect(termsOf(target(0), { book, held: '0.25', filling })).toMatchObject({
      ...{ side: 'sell', amount: 0.25 },
    });
    expect(termsOf(target(0), { book, held: '0', filling })).toBe('reached');
  });

  it('is reached when less than the least order is missing', () => {
    expect(termsOf(target(1), { book, held: '0.9995' })).toBe('reached');
    expect(termsOf(target(1), { book, held: '1' })).toBe('reached');
    expect(termsOf(target(0), { book, held: '0.005' })).toBe('reached');
    const filling = [{ side: 'buy', amount: 0.9995, filledAmount: 0 } as const];
    expect(termsOf(target(1), { book, filling })).toBe('underWay');
    const market = { ...MARKET, minAmount: 0.4 };
    expect(termsOf(target(1), { book, market, held: '0.61' })).toBe('reached');
    expect(termsOf(target(1), { book, market, held: '0.6' })).toMatchObject({ amount: 0.4 });
  });

  it('is asked for when less than the least order is all that it wants', () => {
    expect(termsOf(target(0.005), { book })).toMatchObject({ side: 'buy', amount: 0.005 });
    expect(termsOf(target(-0.005), { book, held: '0.001' })).toMatchObject({ amount: 0.006 });
    const market = { ...MARKET, minAmount: 0.4 };
    expect(termsOf(target(0.3), { book, market })).toMatchObject({ side: 'buy', amount: 0.3 });
  });

  it('is reached when no more is missing than the fee took of the order that went the way', () => {
    expect(termsOf(target(1), { book, held: '0.99', fee: '0.01' })).toBe('reached');
    // The remainder lost by rounding to the amount step makes no order either.
    expect(termsOf(target(1), { book, held: '0.98992', fee: '0.01' })).toBe('reached');
    const missing = termsOf(target(1), { book, held: '0.9889', fee: '0.01' });
    expect(missing).toMatchObject({ side: 'buy', amount: 0.0111 });
    expect(termsOf(target(0), { book, held: '-0.01', fee: '0.01' })).toBe('reached');
    expect(termsOf(target(0), { book, held: '0.02', fee: '0.02' })).toMatchObject({ side: 'sell' });
  });
});

describe('targetTerms, by a price', () => {
  it.each([
    ['buy', 100.126, 100.13],
    ['buy', 100.124, 100.12],
    ['sell', 100.126, 100.13],
    ['sell', 100.124, 100.12],
  ] as const)(
    'reaches a last price of more places than the market has: %s at %f',
    (side, last, price) => {
      const intent = target(side === 'buy' ? 1 : -1, { slippage: 0 });
      expect(termsOf(intent, { last })).toMatchObject({ side, price });
    },
  );

  it('takes the last price where there is no depth, and is blocked without any', () => {
    expect(termsOf(target(1, { slippage: 0 }), { last: 77 })).toMatchObject({ price: 77 });
    expect(termsOf(target(1))).toBe('blocked');
    expect(termsOf(target(-1, { slippage: 1 }), { book })).toBe('blocked');
  });

  it('is blocked beside a book of which only a stub is left, at a price beyond all prices', () => {
    expect(termsOf(target(1), { book: [99, 1e14] })).toBe('blocked');
    expect(termsOf(target(-1), { book: [1e14, 2e14] })).toBe('blocked');
    expect(termsOf(target(1), { last: 1e14 })).toBe('blocked');
  });

  it('uses the limit as it is, and is blocked while the book is beyond it', () => {
    expect(termsOf(target(1, { priceLimit: 101 }), { book })).toMatchObject({ price: 101 });
    expect(termsOf(target(1, { priceLimit: 100 }), { book })).toBe('blocked');
    expect(termsOf(target(-1, { priceLimit: 99.5 }), { book })).toMatchObject({ price: 99.5 });
  });

  it('never passes the target', () => {
    const units = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(units, units, (wanted, has) => {
        const terms = termsOf(target(wanted / 1e4), { book, held: String(has / 1e4) });
        if (typeof terms === 'string') return;
        const signed = terms.side === 'buy' ? terms.amount : -terms.amount;
        expect(Math.round(has + signed * 1e4)).toBe(wanted);
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});

describe('wayOut', () => {
  const order = (id: string) => ({ clientOrderId: id }) as LiveOrder;
  const way = (held: number, wanted: number) => {
    const situation = { held: Decimal.of(held), wanted: Decimal.of(wanted), filling: [order('a')] };
    return situation as Partial<TargetSituation> as TargetSituation;
  };

  it.each([
    [2, 1, 1],
    [-2, -1, -1],
    [2, 0, 0],
    [2, -1, 0],
    [-2, 3, 0],
    [2, 2, undefined],
    [2, 3, undefined],
    [-2, -3, undefined],
    [0, 1, undefined],
    [0, -1, undefined],
  ])('from %d towards %d leads to %d', (held, wanted, expected) => {
    const out = wayOut(way(held, wanted), [order('b')]);
    expect(out?.wanted.toNumber()).toBe(expected);
    if (out !== undefined) expect(out.filling).toEqual([order('a'), order('b')]);
  });

  it('is the part to flat of a way beyond it', () => {
    const turns = (held: number, wanted: number) => isBeyondFlat(way(held, wanted));
    expect([turns(1, -1), turns(-1, 1)]).toEqual([true, true]);
    expect([turns(1, 0), turns(0, 1), turns(1, 2), turns(-1, -2)]).toEqual([
      ...[false, false, false, false],
    ]);
  });
});
