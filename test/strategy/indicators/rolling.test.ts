import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/kernel/index.ts';
import {
  type Indicator,
  Lagged,
  RollingMax,
  RollingMin,
  RollingMoments,
  RollingSum,
  Sma,
  StrategyError,
  Wma,
} from '../../../src/strategy/index.ts';

const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]): number => total(values) / values.length;
const deviation = (values: readonly number[]): number =>
  Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));
const weighted = (values: readonly number[]): number =>
  total(values.map((value, index) => value * (index + 1))) /
  total(values.map((_, index) => index + 1));

/** Each step and its definition over the whole window. */
const ORACLES: Record<
  string,
  readonly [(length: number) => Indicator<number, number>, (window: readonly number[]) => number]
> = {
  RollingSum: [(length) => new RollingSum(length), total],
  RollingMax: [(length) => new RollingMax(length), (window) => Math.max(...window)],
  RollingMin: [(length) => new RollingMin(length), (window) => Math.min(...window)],
  Sma: [(length) => new Sma(length), mean],
  Wma: [(length) => new Wma(length), weighted],
  'RollingMoments mean': [(length) => momentsOf(length, 'mean'), mean],
  'RollingMoments deviation': [(length) => momentsOf(length, 'deviation'), deviation],
};

function momentsOf(length: number, key: 'mean' | 'deviation'): Indicator<number, number> {
  const moments = new RollingMoments(length);
  return { next: (value) => moments.next(value)?.[key] };
}

describe.each(Object.entries(ORACLES))('%s', (_, [make, naive]) => {
  it('equals its definition on every window, and is undefined before the first', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 60 }),
        (length, values) => {
          const step = make(length);
          values.forEach((value, index) => {
            const output = step.next(value);
            expect(output === undefined).toBe(index + 1 < length);
            if (output === undefined) return;
            const window = values.slice(index + 1 - length, index + 1);
            const scale = Math.max(1, ...window.map(Math.abs));
            expect(Math.abs(output - naive(window))).toBeLessThan(1e-8 * scale);
          });
        },
      ),
      { seed: 1 },
    );
  });

  it('has not drifted after a million values', () => {
    const length = 50;
    const random = seededRandom(7);
    const step = make(length);
    const recent: number[] = [];
    let worst = 0;
    for (let i = 0; i < 1_000_000; i++) {
      // A million-fold jump now and then: a sum that adds and subtracts would keep its rounding
      // error.
      const value = (1 + random.next()) * (i % 9_973 === 0 ? 1e12 : 1);
      recent.push(value);
      if (recent.length > length) recent.shift();
      const output = step.next(value);
      if (i % 997 !== 0 || i < length || i % 9_973 < length) continue;
      worst = Math.max(worst, Math.abs(output! / naive(recent) - 1));
    }
    expect(worst).toBeLessThan(1e-12);
  });
});

describe('RollingMoments', () => {
  it('keeps the digits of small moves of a large price', () => {
    const moments = new RollingMoments(4);
    const values = [1e9 + 0.1, 1e9 - 0.1, 1e9 + 0.1, 1e9 - 0.1, 1e9 + 0.1];
    const outputs = values.map((value) => moments.next(value)?.deviation);
    expect(outputs[3]).toBeCloseTo(0.1, 6);
    expect(outputs[4]).toBeCloseTo(0.1, 6);
  });
});

describe('Lagged', () => {
  it('returns the value so many inputs ago', () => {
    const lagged = new Lagged(2);
    expect([1, 2, 3, 4].map((value) => lagged.next(value))).toEqual([undefined, undefined, 1, 2]);
  });
});

describe('lengths', () => {
  it.each([0, -1, 1.5, Number.NaN])('refuse %s', (length) => {
    expect(() => new Sma(length)).toThrow(StrategyError);
    expect(() => new RollingMax(length)).toThrow('a whole number of at least 1 is wanted');
  });
});
