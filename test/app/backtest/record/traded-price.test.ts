import { describe, expect, it } from 'vitest';
import { tradedPrice } from '../../../../src/app/backtest/record/traded-price.ts';
import type { Amount } from '../../../../src/domain/index.ts';
import { Decimal } from '../../../../src/kernel/index.ts';
import { makeFill, makeMarket } from '../../../report/fixture.ts';

const market = makeMarket({ amountScale: 8 });

/** A fill whose trades, each a price and an amount, are worth what money holds of them. */
function fillOf(...trades: readonly (readonly [price: string, amount: string])[]) {
  const values = trades.map(([price, amount]) =>
    Decimal.of(price).times(Decimal.of(amount)).round(8, 'down'),
  );
  const sum = (all: readonly Decimal[]) => all.reduce((a, b) => a.plus(b), Decimal.ZERO);
  const value = sum(values);
  const amount = sum(trades.map(([, one]) => Decimal.of(one)));
  const price = value.dividedBy(amount, 10, 'nearest').toNumber();
  return makeFill({ amount: amount.toNumber() as Amount, value, price });
}

describe('tradedPrice', () => {
  it('is the price of the trade, not its cut value over the amount', () => {
    const fill = fillOf(['65751.82', '0.12345678']);
    expect(fill.price).toBeCloseTo(65751.81999992, 8);
    expect(tradedPrice(fill, { market, lastPrice: undefined })).toBe(65751.82);
  });

  it('knows of money with fewer places', () => {
    const value = Decimal.of('65751.82').times(Decimal.of('0.12345678')).round(4, 'down');
    const fill = makeFill({ amount: 0.12345678 as Amount, value, price: 65751.8194 });
    expect(tradedPrice(fill, { market, lastPrice: 65751.82 })).toBe(65751.82);
  });

  it('is that of the last trade where several would come to the value, else the shortest', () => {
    const fill = fillOf(['65751.82', '0.00000001']);
    expect(tradedPrice(fill, { market, lastPrice: 65751.82 })).toBe(65751.82);
    expect(tradedPrice(fill, { market, lastPrice: undefined })).toBe(65751);
    const larger = fillOf(['65751.82', '0.00000003']);
    expect(tradedPrice(larger, { market, lastPrice: undefined })).toBe(65751.67);
  });

  it('is the average of trades at several prices, whatever the last of them was', () => {
    const fill = fillOf(['100', '0.5'], ['100.01', '0.5']);
    for (const lastPrice of [100, 100.01]) {
      expect(tradedPrice(fill, { market, lastPrice })).toBe(100.005);
    }
  });

  it('is what the value comes to where no price of few places does', () => {
    const fill = fillOf(['100', '0.33333333'], ['100.01', '0.77777777']);
    const exact = (100 * 0.33333333 + 100.01 * 0.77777777) / 1.1111111;
    expect(tradedPrice(fill, { market, lastPrice: 100.01 })).toBeCloseTo(exact, 7);
  });

  it('is left alone where no price comes to the value', () => {
    const value = new Decimal(100_000_100_000_000, 8);
    const fill = makeFill({ price: 0.33, amount: 3_000_000 as Amount, value });
    expect(tradedPrice(fill, { market, lastPrice: 0.34 })).toBe(0.33);
  });
});
