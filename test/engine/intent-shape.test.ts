import { describe, expect, it } from 'vitest';
import { whyNoIntent } from '../../src/engine/intent-shape.ts';
import { cancel, noQuotes, order, quotes, target } from '../../src/strategy/index.ts';
import { makeMarket } from '../domain/fixture.ts';

const market = makeMarket();
const QUOTES = quotes(market, [[99, 1]], [[101, 1]]);
const TARGET = target(market, 1);
const ORDER = order(market, { tag: 'a', side: 'buy', price: 99, amount: 1 });

describe('whyNoIntent', () => {
  it('has nothing to say of what the builders make', () => {
    const limited = target(market, -1, { priceLimit: 90 });
    const made = [QUOTES, noQuotes(market), TARGET, limited, ORDER, cancel(market, 'a')];
    expect(made.map(whyNoIntent)).toEqual(made.map(() => undefined));
  });

  it.each([
    [[1, 2], 'a list, intents one by one are wanted (mergeAll() behind it makes them so)'],
    [undefined, 'undefined, an intent is wanted'],
    [{ side: 'buy' }, 'an object that is none, an intent is wanted'],
    [
      { ...QUOTES, kind: 'foo' },
      'an intent whose kind is "foo", quotes, target, order or cancel is wanted',
    ],
  ])('says of %j what it is and what is wanted', (emitted, text) => {
    expect(whyNoIntent(emitted)).toBe(`it emitted ${text}`);
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
    [ORDER, 'side', Symbol('buy'), 'Symbol(buy), a text is'],
    [ORDER, 'type', 1, '1, a text is'],
    [ORDER, 'price', 5n, '5, a number is'],
    [ORDER, 'amount', null, 'null, a number is'],
    [cancel(market, 'a'), 'tag', 7, '7, a text is'],
  ])('misses a field: %j %s', (intent, field, value, text) => {
    expect(whyNoIntent({ ...intent, [field]: value })).toContain(
      `whose ${field} is ${text} wanted`,
    );
  });

  it.each([[null], [[99, 1]], [{ price: 99, amount: 5n }]])(
    'wants levels of numbers: %s',
    (level) => {
      const wanted = 'a level that is none, a price and an amount in numbers are wanted';
      expect(whyNoIntent({ ...QUOTES, bids: [level] })).toBe(`it emitted bids with ${wanted}`);
      expect(whyNoIntent({ ...QUOTES, asks: [level] })).toBe(`it emitted asks with ${wanted}`);
    },
  );

  it('says why a field cannot be looked at', () => {
    const broken = Object.defineProperty({ ...QUOTES }, 'asks', {
      get: () => {
        throw new Error('no asks yet');
      },
    });
    expect(whyNoIntent(broken)).toMatch(/^no asks yet/);
  });
});
