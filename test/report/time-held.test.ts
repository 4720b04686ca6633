import { describe, expect, test } from 'vitest';
import type { Amount, Side } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { analyse, type RecordedFill } from '../../src/report/index.ts';
import { DAY, makeCurve, makeFill, makeMarket, makeRecord, START } from './fixture.ts';

type Step = readonly [day: number, side: Side, amount: number, rest?: Partial<RecordedFill>];

/** The share of ten days in which a position was held, by an account of so much. */
function exposureOf(steps: readonly Step[], equity = 1_000): number | undefined {
  const fills = steps.map(([day, side, amount, rest]) =>
    makeFill({ side, amount: amount as Amount, time: START + day * DAY, ...rest }),
  );
  const { figures } = analyse(
    makeRecord({
      curve: makeCurve(new Array(11).fill(equity)),
      markets: [makeMarket({ minAmount: 0.001, minSize: 0 })],
      fills,
    }),
  );
  return figures.find(({ metric }) => metric.id === 'exposureTime')!.measured.value;
}

describe('exposureTime', () => {
  test('is that in which a position was held, however little of the account it was', () => {
    const steps: Step[] = [
      [1, 'buy', 0.01],
      [2.5, 'sell', 0.01],
      [4, 'sell', 0.01],
      [5, 'buy', 0.01],
    ];
    expect(exposureOf(steps)).toBe(0.25);
    expect(exposureOf(steps, 1e9)).toBe(0.25);
    expect(exposureOf([])).toBe(0);
  });

  test('goes on to the end where a position was left open', () => {
    expect(exposureOf([[7, 'buy', 1]])).toBeCloseTo(0.3, 12);
  });

  test('counts the time once in which several strategies held something', () => {
    const steps: Step[] = [
      [1, 'buy', 1, { strategy: 'a' }],
      [2, 'sell', 1, { strategy: 'b' }],
      [3, 'sell', 1, { strategy: 'a' }],
      [4, 'buy', 1, { strategy: 'b' }],
    ];
    expect(exposureOf(steps)).toBeCloseTo(0.3, 12);
  });

  test('goes through flat without a pause', () => {
    const steps: Step[] = [
      [1, 'buy', 1],
      [2, 'sell', 2],
      [3, 'buy', 1],
    ];
    expect(exposureOf(steps)).toBeCloseTo(0.2, 12);
  });

  test('is over where dust is left, or what fees leave on either side of flat', () => {
    expect(
      exposureOf([
        [1, 'buy', 1],
        [2, 'sell', 0.9995],
      ]),
    ).toBe(0.1);
    const inBase = (fee: string) => ({ fee: Decimal.of(fee), feeCurrency: 'btc' });
    expect(
      exposureOf([
        [1, 'buy', 10, inBase('0.01')],
        [2, 'sell', 9.99, inBase('0.00999')],
        [5, 'buy', 10.00999, inBase('0.01001')],
        [6, 'sell', 9.99, inBase('0.00999')],
      ]),
    ).toBeCloseTo(0.2, 12);
  });
});
