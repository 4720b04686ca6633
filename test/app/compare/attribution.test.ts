import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attribution, attribute } from '../../../src/app/compare/attribution.ts';
import type { OrderPair } from '../../../src/app/compare/match-orders.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { tradedOf } from './fixture.ts';

const MARKS = { a: new Map([['btc_usdt', 100]]), b: new Map([['btc_usdt', 100]]) };

/** The lines of the one quote currency, as texts. */
function linesOf([one]: readonly Attribution[]): Record<string, string> {
  return Object.fromEntries(one!.lines.map(({ cause, amount }) => [cause, amount.toString()]));
}

describe('attribute', () => {
  it('counts the price of what both filled', () => {
    const a = tradedOf({ amount: '2', value: '198' });
    const b = tradedOf({ amount: '2', value: '199' });
    const [one] = attribute({ pairs: [{ a, b }], marks: MARKS });
    expect(one!.profit.a.toString()).toBe('2');
    expect(one!.difference.toString()).toBe('-1');
    expect(linesOf([one!])).toEqual({ price: '-1' });
  });

  it('tells what was placed and did not fill from what was not placed', () => {
    const sold = tradedOf({ side: 'sell', amount: '1', value: '110' });
    const bought = tradedOf({ amount: '1', value: '97' });
    const pairs: OrderPair[] = [
      ...[
        { a: sold, b: tradedOf() },
        { a: tradedOf(), b: bought },
      ],
      ...[{ a: sold }, { b: sold }],
    ];
    const found = attribute({ pairs, marks: MARKS });
    expect(linesOf(found)).toEqual({
      ...{ unfilledInA: '3', unfilledInB: '-10' },
      ...{ onlyA: '-10', onlyB: '10' },
    });
    expect(found[0]!.lines.map(({ orders }) => orders)).toEqual([1, 1, 1, 1]);
  });

  it('has nothing to tell of orders that filled in neither run', () => {
    const pairs: OrderPair[] = [{ a: tradedOf(), b: tradedOf() }, { a: tradedOf() }];
    const [one] = attribute({ pairs: [...pairs, { b: tradedOf() }], marks: MARKS });
    expect([one!.difference.toString(), one!.lines]).toEqual(['0', []]);
  });

  it('parts an order that filled less in one run', () => {
    const a = tradedOf({ amount: '3', value: '270' });
    const b = tradedOf({ amount: '1', value: '95', asked: '3' });
    const found = linesOf(attribute({ pairs: [{ a, b }], marks: MARKS }));
    expect(found.price).toMatch(/^-5\.?0*$/);
    expect(found.unfilledInB).toMatch(/^-20\.?0*$/);
  });

  it('parts an order at the last place of money', () => {
    const a = tradedOf({ amount: '3', value: '100' });
    const b = tradedOf({ amount: '1', value: '33', asked: '3' });
    expect(linesOf(attribute({ pairs: [{ a, b }], marks: MARKS }))).toEqual({
      price: '0.33333333',
      unfilledInB: '-133.33333333',
    });
  });

  it('takes the last order of a run for its price where no market data tell it', () => {
    const a = tradedOf({ amount: '1', value: '100', price: 101 });
    const b = tradedOf({ amount: '1', value: '50', price: 51 });
    const one = (marks: typeof MARKS) => attribute({ pairs: [{ a }, { b }], marks })[0]!.profit;
    const none = new Map<string, number>();
    const shown = ({ a, b }: ReturnType<typeof one>) => [a.toString(), b.toString()];
    expect(shown(one({ a: none, b: none }))).toEqual(['1', '1']);
    expect(shown(one({ a: MARKS.a, b: none }))).toEqual(['0', '1']);
  });

  it('values fees in the base currency, and what is held at the end', () => {
    const a = tradedOf({ amount: '1', value: '100', fees: { btc: '0.01' } });
    const b = tradedOf({ amount: '1', value: '100', fees: { usdt: '0.5' } });
    const marks = { a: MARKS.a, b: new Map([['btc_usdt', 103]]) };
    expect(linesOf(attribute({ pairs: [{ a, b }], marks }))).toEqual({
      price: '0',
      fees: '0.5',
      endPrice: '3',
    });
  });
});

describe('attribute, of orders that filled whole in both runs,', () => {
  it('tells larger orders from fills that are missing', () => {
    const spent = (amount: string, fee: string) =>
      tradedOf({ amount, value: `${95 * Number(amount)}`, fees: { usdt: fee } });
    const pairs = [{ a: spent('1', '0.2'), b: spent('1.01', '0.1') }];
    const found = linesOf(attribute({ pairs, marks: MARKS }));
    expect(found).toMatchObject({ amount: expect.stringMatching(/^0\.050*$/), fees: '0.1' });
    expect(Object.keys(found)).toEqual(['price', 'amount', 'fees']);
    const [a, b] = [spent('1', '0'), tradedOf({ amount: '2', value: '190', asked: '3' })];
    expect(linesOf(attribute({ pairs: [{ a, b }], marks: MARKS }))).not.toHaveProperty('amount');
  });
});

describe('attribute, of fees in the base currency,', () => {
  const pairOf = (
    terms: { side?: 'buy' | 'sell'; at: number; asked?: string },
    [a, b]: readonly (readonly [amount: string, value: string, fee: string])[],
  ): OrderPair => {
    const one = ([amount, value, fee]: readonly [string, string, string]) => {
      const { at: createdTime, ...others } = terms;
      return tradedOf({ ...others, createdTime, amount, value, fees: { btc: fee } });
    };
    return { a: one(a!), b: one(b!) };
  };
  const bought = pairOf({ at: 1 }, [
    ['1', '100', '0.010'],
    ['1', '100', '0.004'],
  ]);
  const soldAt = (at: number, asked?: string) =>
    pairOf({ side: 'sell', at, ...(asked !== undefined && { asked }) }, [
      ['0.990', '108.900', '0'],
      ['0.996', '109.560', '0'],
    ]);

  it('counts what fees left, and what it was sold for, as fees', () => {
    const found = attribute({ pairs: [soldAt(2), bought], marks: MARKS });
    expect(linesOf(found)).toMatchObject({ price: expect.stringMatching(/^0(\.0+)?$/) });
    expect(found[0]!.lines.map(({ cause, orders }) => [cause, orders])).toEqual([
      ['price', 2],
      ['fees', 2],
    ]);
    expect(found[0]!.lines[1]!.amount.toNumber()).toBe(0.66);
    expect(found[0]!.difference.toNumber()).toBe(0.66);
  });

  it('counts more than fees had left until then as a larger order, or as filled more', () => {
    const causes = (pairs: OrderPair[]) =>
      attribute({ pairs, marks: MARKS })[0]!.lines.map(({ cause }) => cause);
    expect(causes([bought, soldAt(0)])).toEqual(['price', 'amount', 'fees']);
    expect(causes([bought, soldAt(2), soldAt(3)])).toContain('amount');
    expect(causes([bought, soldAt(2, '0.996')])).toContain('unfilledInA');
  });
});

describe('attribute, of fees in the base currency, and amounts that differ for other reasons,', () => {
  const AMOUNTS = ['0.01', '0.02'] as const;
  const sized = (side: 'buy' | 'sell', at: number): OrderPair => {
    const [a, b] = AMOUNTS.map((amount) => {
      const fees = side === 'buy' ? { btc: `${0.002 * Number(amount)}` } : {};
      return tradedOf({ side, amount, value: `${100 * Number(amount)}`, createdTime: at, fees });
    });
    return { a: a!, b: b! };
  };

  it('takes no amounts twice as large for what fees had left, however many of them', () => {
    const pairs = Array.from({ length: 2_000 }, (_, at) => sized(at % 2 ? 'sell' : 'buy', at));
    const [{ lines }] = attribute({ pairs, marks: MARKS }) as [Attribution];
    expect(lines.find(({ cause }) => cause === 'amount')?.orders).toBe(2_000);
  });

  it('does not take for fees what was sold beyond all that they had left', () => {
    const bought = (fee: string) =>
      tradedOf({ amount: '10', value: '1000', createdTime: 1, fees: { btc: fee } });
    const sold = (amount: string) =>
      tradedOf({ side: 'sell', amount, value: `${100 * Number(amount)}`, createdTime: 2 });
    const causes = (amount: string) =>
      attribute({
        pairs: [
          { a: bought('0.06'), b: bought('0.02') },
          { a: sold('9.94'), b: sold(amount) },
        ],
        marks: MARKS,
      })[0]!.lines.map(({ cause }) => cause);
    expect(causes('9.98')).toEqual(['price', 'fees']);
    expect(causes('10.01')).toEqual(['price', 'amount', 'fees']);
  });
});

describe('attribute, of profits that reports tell,', () => {
  it('takes what the reports tell and no fill does for the rest', () => {
    const reported = { quote: 'usdt', a: Decimal.of(5), b: Decimal.of('7.25') };
    expect(linesOf(attribute({ pairs: [], marks: MARKS, reported }))).toEqual({ rest: '2.25' });
  });

  it('takes the exact profit of the fills where a report tells it in doubles', () => {
    const a = tradedOf({ amount: '2', value: '199.9' });
    const reported = { quote: 'usdt', a: Decimal.of('0.10000000000000853'), b: Decimal.ZERO };
    const [one] = attribute({ pairs: [{ a }], marks: MARKS, reported });
    expect(one!.difference.toString()).toBe('-0.1');
    expect(linesOf([one!])).toEqual({ onlyA: '-0.1' });
  });

  it('takes profits as the reports tell them where coins were held, to their last place', () => {
    const reported = {
      quote: 'usdt',
      a: Decimal.of('1.1890047361'),
      b: Decimal.of('1.2890047365'),
    };
    const [one] = attribute({ pairs: [], marks: MARKS, reported });
    expect(one!.profit.a.toString()).toBe('1.1890047361');
    expect(linesOf([one!])).toEqual({ rest: '0.1000000004' });
  });

  it('leaves no rest that is but the noise of the doubles that the reports tell', () => {
    const a = tradedOf({ amount: '2', value: '199.9' });
    // Both account for what was held before, which is in no fill.
    const reported = {
      ...{ quote: 'usdt', a: Decimal.of('7.300000000000182') },
      b: Decimal.of('7.199999999998909'),
    };
    const [one] = attribute({ pairs: [{ a }], marks: MARKS, reported });
    expect(one!.profit.a.toString()).toBe('7.3');
    expect(one!.profit.b.toString()).toBe('7.2');
    expect(linesOf([one!])).toEqual({ onlyA: '-0.1' });
  });
});

describe('the lines of an attribution', () => {
  it('add up to the difference, exactly, whatever was traded', () => {
    const number = fc.integer({ min: 1, max: 1_000_000 }).map((units) => String(units / 1_000));
    const order = fc
      .record({
        side: fc.constantFrom('buy' as const, 'sell' as const),
        market: fc.constantFrom('btc_usdt', 'eth_usdt', 'eth_btc'),
        amount: number,
        value: number,
        fees: fc.record({ btc: number, usdt: number }),
      })
      .map(({ market, fees: { btc, usdt }, ...others }) => {
        const [base, quote] = market.split('_') as [string, string];
        return { market, ...others, fees: { [base]: btc, [quote]: usdt } };
      });
    const pair = fc.tuple(order, fc.option(order), fc.boolean()).map(([one, other, isA]) => {
      const [first, market] = [tradedOf(one), one.market];
      if (other === null) return isA ? { a: first } : { b: first };
      return { a: first, b: tradedOf({ ...other, market, side: one.side, fees: one.fees }) };
    });
    const mark = fc.integer({ min: 1, max: 5_000 }).map((units) => units / 10);
    const marks = fc.tuple(mark, mark, mark).map(
      ([x, y, z]) =>
        new Map([
          ['btc_usdt', x],
          ['eth_usdt', y],
          ['eth_btc', z],
        ]),
    );
    const check = fc.property(fc.array(pair), marks, marks, (pairs, a, b) => {
      for (const one of attribute({ pairs, marks: { a, b } })) {
        let sum = Decimal.ZERO;
        for (const { amount } of one.lines) sum = sum.plus(amount);
        expect(sum.equals(one.difference)).toBe(true);
        expect(one.lines.map(({ cause }) => cause)).not.toContain('rest');
      }
    });
    fc.assert(check, { seed: 11, numRuns: 200 });
  });
});
