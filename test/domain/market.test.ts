import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountDecimal,
  amountOf,
  currenciesOf,
  isAmount,
  isPrice,
  isSameSize,
  isTradable,
  leastAmount,
  midOf,
  opposite,
  orderValue,
  priceDecimal,
  priceOf,
  subtractAmounts,
  toldAmount,
  toldPrice,
  tradedDecimal,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { makeMarket } from './fixture.ts';

const market = makeMarket();
const units = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });

describe('toldAmount and toldPrice', () => {
  it('are on scale whatever doubles an exchange sums them up in', () => {
    const terms = fc.array(fc.integer({ min: 1, max: 5_000_000 }), {
      minLength: 1,
      maxLength: 400,
    });
    fc.assert(
      fc.property(terms, (all) => {
        const sum = all.reduce((total, unit) => total + unit / 10_000, 0);
        const exact = all.reduce((total, unit) => total + unit, 0) / 10_000;
        expect(toldAmount(market, sum)).toBe(exact);
      }),
      { seed: 6 },
    );
    expect(toldAmount(market, 0.9999999999999999)).toBe(1);
    // The rest of a larger amount has that amount's rounding error.
    expect(toldAmount(market, 1000 - 999.2997, { of: 1000 })).toBe(0.7003);
    expect(toldPrice(market, 29_972.250000000004)).toBe(29_972.25);
  });

  it.each([0.00004, 0.01725, 1.00000001, 1e300])('leave %s, of other rules, as it is', (told) => {
    expect(toldAmount(market, told)).toBe(told);
    expect(toldPrice(market, told)).toBe(told);
  });
});

describe('isSameSize', () => {
  it('holds for what sums of doubles lose, and for no step of less than 1e13', () => {
    expect(isSameSize(0.1 + 0.2, 0.3)).toBe(true);
    expect(isSameSize(0, 0)).toBe(true);
    expect(isSameSize(0, 1e-8)).toBe(false);
    expect(isSameSize(12_345.67800001, 12_345.678)).toBe(false);
  });
});

describe('market arithmetic', () => {
  it('subtractAmounts is exact to the last digit', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [x, y] = [a / 10_000, b / 10_000];
        const exact = (value: number) => amountDecimal(market, value);
        expect(exact(subtractAmounts(market, x, y)).equals(exact(x).minus(exact(y)))).toBe(true);
      }),
      { seed: 3 },
    );
  });

  it('orderValue is the exact product', () => {
    const value = orderValue(market, { price: 60_000.01, amount: 0.0007 });
    expect(value.toString()).toBe('42.000007');
  });

  it('priceOf rounds to the nearest step, amountOf down, each as told otherwise', () => {
    expect(priceOf(market, 100.005)).toBe(100.01);
    expect(priceOf(market, 100.009, 'down')).toBe(100);
    expect(amountOf(market, 0.00019)).toBe(0.0001);
    expect(amountOf(market, 0.00011, 'up')).toBe(0.0002);
    expect(amountOf(market, 0.1 + 0.2)).toBe(0.3);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 0.00001, 2 ** 60])(
    'isPrice and isAmount refuse %s',
    (value) => {
      expect(isPrice(market, value)).toBe(false);
      expect(isAmount(market, value)).toBe(false);
    },
  );

  it('isPrice and isAmount accept one unit', () => {
    expect(isPrice(market, 0.01)).toBe(true);
    expect(isAmount(market, 0.0001)).toBe(true);
  });

  it('priceDecimal and amountDecimal refuse what is not on scale', () => {
    expect(() => priceDecimal(market, 1.005)).toThrow(/multiple of 0\.01 is/);
    expect(() => amountDecimal(market, 0.00001)).toThrow(/multiple of 0\.0001 is/);
    expect(priceDecimal(market, 1.05).equals(Decimal.of('1.05'))).toBe(true);
  });

  it('tradedDecimal is exact on every scale', () => {
    expect(`${tradedDecimal(market, 1.05)}`).toBe('1.05');
    expect(`${tradedDecimal(market, 0.00001)}`).toBe('0.00001');
  });

  it('currenciesOf takes an identifier apart', () => {
    expect(currenciesOf('btc_usdt')).toEqual({ base: 'btc', quote: 'usdt' });
    expect(currenciesOf('btc')).toEqual({ base: 'btc', quote: '' });
  });

  it('opposite turns the side', () => {
    expect(opposite('buy')).toBe('sell');
    expect(opposite('sell')).toBe('buy');
  });
});

describe('leastAmount and isTradable', () => {
  const coarse = { ...market, amountScale: 2, minAmount: 0.001, minSize: 10 };

  it('ask for one step of amounts where the least amount is finer', () => {
    expect(leastAmount(coarse)).toBe(0.01);
    expect(leastAmount({ ...coarse, minAmount: 0.5 })).toBe(0.5);
    expect(isTradable(coarse, { size: 0.01, price: 1_000 })).toBe(true);
    expect(isTradable(coarse, { size: 0.009, price: 1e6 })).toBe(false);
  });

  it('ask for the least value too, where the price is known', () => {
    expect(isTradable(coarse, { size: 0.01, price: 999 })).toBe(false);
    expect(isTradable(coarse, { size: 0.01, price: Number.NaN })).toBe(true);
  });
});

describe('midOf', () => {
  const depth = { market: 'btc_usdt', exchangeTime: 0, receivedTime: 0 };

  it('is halfway between the best prices', () => {
    expect(midOf({ ...depth, bids: [[99, 1]], asks: [[101, 1]] })).toBe(100);
  });

  it('is undefined while a side is empty', () => {
    expect(midOf({ ...depth, bids: [], asks: [[101, 1]] })).toBeUndefined();
    expect(midOf({ ...depth, bids: [[99, 1]], asks: [] })).toBeUndefined();
  });
});
