import { EMPTY } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/domain/index.ts';
import { intentOf } from '../../src/domain/intent-shape.ts';
import { cancel, noQuotes, order, quotes, target } from '../../src/strategy/index.ts';
import { makeMarket } from './fixture.ts';

const market = makeMarket();
const QUOTES = quotes(market, [[99, 1]], [[101, 1]]);
const TARGET = target(market, 1);
const ORDER = order(market, { tag: 'a', side: 'buy', price: 99, amount: 1 });

describe('intentOf', () => {
  it('writes down what the builders make as it was', () => {
    const limited = target(market, -1, { priceLimit: 90 });
    const made = [QUOTES, noQuotes(market), TARGET, limited, ORDER, cancel(market, 'a')];
    expect(made.map(intentOf)).toEqual(made);
    expect(JSON.stringify(made.map(intentOf))).toBe(JSON.stringify(made));
  });

  it.each<[string, Intent]>([
    ['quotes', QUOTES],
    ['a target', TARGET],
    ['a target with a limit', target(market, -1, { priceLimit: 90 })],
    ['an order', ORDER],
    ['a cancel', cancel(market, 'a')],
  ])('leaves behind what %s has besides', (_what, intent) => {
    const more = { score: 10n, toJSON: () => 'x' };
    expect(intentOf({ ...intent, ...more })).toStrictEqual(intent);
  });

  it('leaves behind what levels have besides', () => {
    const bids = QUOTES.bids.map((level) => ({ ...level, score: 10n }));
    expect(intentOf({ ...QUOTES, bids })).toStrictEqual(QUOTES);
  });

  it('holds lists of its own', () => {
    const bids = [...QUOTES.bids];
    const intent = intentOf({ ...QUOTES, bids });
    bids.length = 0;
    expect(intent).toEqual(QUOTES);
  });

  it('reads a field once', () => {
    let reads = 0;
    const computed = Object.defineProperty({ ...TARGET }, 'position', {
      get: () => (++reads === 1 ? 1 : 'x'),
    });
    expect(intentOf(computed)).toEqual(TARGET);
    expect(reads).toBe(1);
  });
});

describe('intentOf, of what is none', () => {
  it.each([
    [[1, 2], 'a list, intents one by one are wanted (mergeAll() behind it makes them so)'],
    [
      undefined,
      'undefined, an intent is wanted (filter((wish) => wish !== undefined) behind it leaves that out)',
    ],
    [null, 'null, an intent is wanted'],
    [
      { side: 'buy' },
      'an object that is no intent, one of quotes, target, order or cancel is wanted',
    ],
    [
      Promise.resolve(),
      'a promise, an intent is wanted (neither run nor what it maps with may wait for one)',
    ],
    [EMPTY, 'a stream, an intent is wanted (neither run nor what it maps with may wait for one)'],
    [
      { ...QUOTES, kind: 'foo' },
      'an intent whose kind is "foo", quotes, target, order or cancel is wanted',
    ],
  ])('says of %j what it is and what is wanted', (emitted, text) => {
    expect(intentOf(emitted)).toBe(`it emitted ${text}`);
  });

  it.each<[object, string, unknown, string]>([
    [QUOTES, 'market', undefined, 'undefined, the id of a market is'],
    [QUOTES, 'market', market, 'an object, the id of a market is'],
    [QUOTES, 'bids', undefined, 'undefined, a list is'],
    [QUOTES, 'asks', undefined, 'undefined, a list is'],
    [QUOTES, 'postOnly', undefined, 'undefined, true or false is'],
    [TARGET, 'position', undefined, 'undefined, a number is'],
    [TARGET, 'slippage', '0.1', '"0.1", a number is'],
    [TARGET, 'priceLimit', '99', '"99", a number is'],
    [ORDER, 'tag', undefined, 'undefined, a text is'],
    [ORDER, 'side', Symbol('buy'), 'Symbol(buy), buy or sell is'],
    [ORDER, 'side', 'BUY', '"BUY", buy or sell is'],
    [ORDER, 'type', 1, '1, one of limit, postOnly, ioc is'],
    [ORDER, 'type', 'market', '"market", one of limit, postOnly, ioc is'],
    [ORDER, 'price', 5n, '5, a number is'],
    [ORDER, 'amount', null, 'null, a number is'],
    [cancel(market, 'a'), 'tag', 7, '7, a text is'],
  ])('misses a field: %j %s', (intent, field, value, text) => {
    expect(intentOf({ ...intent, [field]: value })).toContain(`whose ${field} is ${text} wanted`);
  });

  it.each([
    ['nothing', [null]],
    ['a pair', [[99, 1]]],
    ['a large amount', [{ price: 99, amount: 5n }]],
    ['a hole', new Array(1)],
    ['what says that all is well', Object.assign(['x'], { every: () => true })],
  ])('wants levels of numbers, not %s', (_what, levels) => {
    const wanted = 'a level that is none, a price and an amount in numbers are wanted';
    expect(intentOf({ ...QUOTES, bids: levels })).toBe(`it emitted bids with ${wanted}`);
    expect(intentOf({ ...QUOTES, asks: levels })).toBe(`it emitted asks with ${wanted}`);
  });

  it('throws what a field throws that is computed', () => {
    const broken = Object.defineProperty({ ...QUOTES }, 'asks', {
      get: () => {
        throw new Error('no asks yet');
      },
    });
    expect(() => intentOf(broken)).toThrow('no asks yet');
  });
});
