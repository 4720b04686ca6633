import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAmount, isPrice } from '../../src/domain/index.ts';
import {
  cancel,
  ladder,
  noQuotes,
  order,
  quotes,
  StrategyError,
  target,
} from '../../src/strategy/index.ts';
import { market } from './fixture.ts';

describe('order, of what a type would refuse,', () => {
  const terms = { tag: 'a', side: 'buy', price: 99, amount: 1 } as const;

  it.each([
    [{ side: 'BUY' }, 'Cannot order: side is "BUY", buy or sell is wanted'],
    [{ type: 'market' }, 'Cannot order: type is "market", one of limit, postOnly, ioc is wanted'],
    [{ tag: 7 }, 'Cannot order: tag is 7, a text is wanted'],
  ])('throws: %j', (wrong, message) => {
    expect(() => order(market(), { ...terms, ...(wrong as object) })).toThrow(message);
  });
});

describe('a wish', () => {
  it.each([
    ['order', 'postOnly', 'tag, side, price, amount, type'],
    ['target', 'slipage', 'priceLimit, slippage'],
    ['quote', 'postonly', 'postOnly'],
  ])('to %s refuses an option that it does not know: %s', (action, option, known) => {
    const terms = { tag: 'a', side: 'buy', price: 99, amount: 1 } as const;
    const wishes: Record<string, (options: object) => unknown> = {
      order: (options) => order(market(), { ...terms, ...options }),
      target: (options) => target(market(), 1, options),
      quote: (options) => quotes(market(), [], [], options),
    };
    const wish = wishes[action]!;
    expect(() => wish({ [option]: true })).toThrow(
      new StrategyError(
        `Cannot ${action}: the option ${option} is not known, one of ${known} is wanted`,
      ),
    );
    expect(() => wish({})).not.toThrow();
  });

  it.each([
    ['quote', (name: never) => quotes(name, [], [])],
    ['target', (name: never) => target(name, 1)],
    ['order', (name: never) => order(name, { tag: 'a', side: 'buy', price: 1, amount: 1 })],
  ])('to %s wants the market itself, not its name', (action, wish) => {
    expect(() => wish('btc_usdt' as never)).toThrow(
      new StrategyError(
        `Cannot ${action}: the market is the name "btc_usdt", one of context.markets is wanted`,
      ),
    );
    expect(() => wish(undefined as never)).toThrow('the market is undefined, one of');
    expect(() => wish({ id: 'doge_usdt' } as never)).toThrow('the market is an object, one of');
  });
});

describe('a wish beyond all prices or amounts, as a stub of a book leads to,', () => {
  const far = 1e14;

  it('stays as it is, for risk to refuse', () => {
    expect(quotes(market(), [[far, 1]], [[100, far]])).toMatchObject({
      bids: [{ price: far, amount: 1 }],
      asks: [{ price: 100, amount: far }],
    });
    expect(order(market(), { tag: 'a', side: 'sell', price: far, amount: far })).toMatchObject({
      price: far,
      amount: far,
    });
    expect(target(market(), -far, { priceLimit: far })).toMatchObject({
      position: -far,
      priceLimit: far,
    });
  });

  it('is one level where its prices are one', () => {
    const levels = [
      [100, 2e12],
      [100, 2e12],
    ] as const;
    expect(quotes(market(), levels, []).bids).toEqual([{ price: 100, amount: 4e12 }]);
  });
});

describe('quotes', () => {
  it('rounds bids down, asks up and amounts down to the scales', () => {
    const wish = quotes(market(), [[100.019, 1.2349]], [{ price: 100.011, amount: 2.0009 }]);
    expect(wish).toEqual({
      kind: 'quotes',
      market: 'btc_usdt',
      bids: [{ price: 100.01, amount: 1.234 }],
      asks: [{ price: 100.02, amount: 2 }],
      postOnly: true,
    });
  });

  it('leaves out levels whose amount or price rounds to zero, and no other', () => {
    const rules = market({ minAmount: 0.01, minSize: 10 });
    const bids = [
      [0.001, 100_000],
      [100, 0],
      [101, 0.009],
      [102, 0.0001],
    ] as const;
    expect(quotes(rules, bids, []).bids).toEqual([{ price: 101, amount: 0.009 }]);
  });

  it('takes postOnly from the options', () => {
    expect(quotes(market(), [], [], { postOnly: false }).postOnly).toBe(false);
  });

  it.each([
    [undefined, 'the list of bids is undefined, one of levels (or []) is wanted'],
    ['x', 'the list of bids is "x", one of levels (or []) is wanted'],
    [['x'], 'a level is "x", a price with an amount is wanted'],
    [[null], 'a level is null, a price with an amount is wanted'],
    [[{}], 'price is undefined, a positive number is wanted'],
    [[['60000', 1]], 'price is "60000", a positive number is wanted'],
    [[[60_000, '0.001']], 'amount is "0.001", a number of 0 or more is wanted'],
  ])('says of bids %j what is wanted', (bids, what) => {
    const wish = () => quotes(market(), bids as never, []);
    expect(wish).toThrow(new StrategyError(`Cannot quote: ${what}`));
  });

  it.each([Number.NaN, 0, -1, Number.POSITIVE_INFINITY])('refuses the price %s', (price) => {
    expect(() => quotes(market(), [[price, 1]], [])).toThrow(
      new StrategyError(`Cannot quote: price is ${price}, a positive number is wanted`),
    );
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('refuses the amount %s', (amount) => {
    expect(() => quotes(market(), [], [{ price: 1, amount }])).toThrow(
      new StrategyError(`Cannot quote: amount is ${amount}, a number of 0 or more is wanted`),
    );
  });

  it('brings levels on scale, never worse than asked', () => {
    const scale = fc.integer({ min: 0, max: 8 });
    fc.assert(
      fc.property(
        fc.record({ priceScale: scale, amountScale: scale }),
        fc.double({ min: 1e-4, max: 1e5, noNaN: true }),
        fc.double({ min: 0, max: 1e4, noNaN: true }),
        (scales, price, amount) => {
          const rules = market({ ...scales, minAmount: 0, minSize: 10 });
          const { bids, asks } = quotes(rules, [[price, amount]], [[price, amount]]);
          for (const quote of [...bids, ...asks]) {
            expect(isPrice(rules, quote.price)).toBe(true);
            expect(quote.amount === 0 || isAmount(rules, quote.amount)).toBe(true);
            expect(quote.amount).toBeLessThanOrEqual(amount * (1 + 1e-12));
          }
          for (const { price: bid } of bids) expect(bid).toBeLessThanOrEqual(price * (1 + 1e-12));
          for (const { price: ask } of asks)
            expect(ask).toBeGreaterThanOrEqual(price * (1 - 1e-12));
        },
      ),
      { seed: 2 },
    );
  });
});

describe('quotes of equal prices', () => {
  it('makes one level of those that round to one price, each side by itself', () => {
    const bids = [
      [99.019, 1.1],
      [98, 1],
      [99.01, 2.2],
    ] as const;
    expect(quotes(market(), bids, [[99.001, 1]])).toMatchObject({
      bids: [
        { price: 99.01, amount: 3.3 },
        { price: 98, amount: 1 },
      ],
      asks: [{ price: 99.01, amount: 1 }],
    });
  });
});

describe('noQuotes', () => {
  it('wants nothing to rest, by market or identifier', () => {
    const nothing = { kind: 'quotes', market: 'btc_usdt', bids: [], asks: [], postOnly: true };
    expect(noQuotes(market())).toEqual(nothing);
    expect(noQuotes('btc_usdt')).toEqual(nothing);
  });
});

describe('ladder', () => {
  it('moves each level by a fraction of the one before', () => {
    const levels = ladder(100, { levels: 3, step: -0.1, amount: 2 });
    expect(levels).toEqual([
      { price: 100, amount: 2 },
      { price: 90, amount: 2 },
      { price: expect.closeTo(81, 10), amount: 2 },
    ]);
  });
});

describe('target', () => {
  it('rounds the position towards zero and leaves the limit out unless given', () => {
    expect(target(market(), -1.23456)).toEqual({
      kind: 'target',
      market: 'btc_usdt',
      position: -1.234,
      slippage: 0.002,
    });
    expect(target(market(), 1, { priceLimit: 99.999, slippage: 0 })).toMatchObject({
      priceLimit: 100,
      slippage: 0,
    });
  });

  it('never says minus zero, nor what sums of doubles leave of it', () => {
    expect(Object.is(target(market(), -0).position, 0)).toBe(true);
    expect(Object.is(target(market(), 0.3 - 0.1 - 0.2).position, 0)).toBe(true);
  });

  it('leaves what is less than the least step to be refused', () => {
    expect(target(market({ amountScale: 0 }), 0.5).position).toBe(0.5);
    expect(target(market({ amountScale: 0 }), -1.5).position).toBe(-1);
  });

  it('refuses numbers that cannot be', () => {
    expect(() => target(market(), Number.NaN)).toThrow('Cannot target: position is NaN');
    expect(() => target(market(), 1, { slippage: 1 })).toThrow('slippage is 1');
    expect(() => target(market(), 1, { priceLimit: -5 })).toThrow('priceLimit is -5');
  });
});

describe('order and cancel', () => {
  it('order rounds a buy down and a sell up, and is a limit order by default', () => {
    const terms = { tag: 'entry', price: 10.005, amount: 1.9999 };
    expect(order(market(), { ...terms, side: 'buy' })).toEqual({
      kind: 'order',
      market: 'btc_usdt',
      tag: 'entry',
      side: 'buy',
      type: 'limit',
      price: 10,
      amount: 1.999,
    });
    expect(order(market(), { ...terms, side: 'sell', type: 'ioc' })).toMatchObject({
      price: 10.01,
      type: 'ioc',
    });
  });

  it.each([
    ['order', (none: never) => order(market(), none)],
    ['target', (none: never) => target(market(), 1, none)],
    ['quote', (none: never) => quotes(market(), [], [], none)],
  ])('to %s wants its options in an object', (action, wish) => {
    const message = `Cannot ${action}: the options are 0.01, an object with some of `;
    expect(() => wish(0.01 as never)).toThrow(message);
  });

  it('order takes a live order with other terms', () => {
    const live = { tag: 'a', side: 'buy', type: 'postOnly', price: 99, amount: 1 } as const;
    const wish = order(market(), { ...live, ...{ clientOrderId: '1', status: 'open' }, price: 98 });
    expect(wish).toEqual({ kind: 'order', market: 'btc_usdt', ...live, price: 98 });
  });

  it('order refuses what is not positive', () => {
    const terms = { tag: 'entry', side: 'buy', price: 1, amount: 1 } as const;
    expect(() => order(market(), { ...terms, price: Number.NaN })).toThrow('price is NaN');
    expect(() => order(market(), { ...terms, amount: 0 })).toThrow('amount is 0');
  });

  it('cancel names market and tag', () => {
    const wish = { kind: 'cancel', market: 'btc_usdt', tag: 'entry' };
    expect(cancel(market(), 'entry')).toEqual(wish);
    expect(cancel('btc_usdt', 'entry')).toEqual(wish);
  });
});
