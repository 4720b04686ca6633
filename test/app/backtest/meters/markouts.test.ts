import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedPrices } from '../../../../src/app/backtest/feeds/prices.ts';
import type { EquityMeter } from '../../../../src/app/backtest/meters/equity-meter.ts';
import { Markouts } from '../../../../src/app/backtest/meters/markouts.ts';
import { Meters } from '../../../../src/app/backtest/meters/meters.ts';
import type { Amount, Side } from '../../../../src/domain/index.ts';
import { Decimal, MINUTE_MS } from '../../../../src/kernel/index.ts';
import type { Markout } from '../../../../src/report/index.ts';

const AFTER_MS = [1_000, 10_000, 60_000, 300_000, 1_800_000];

interface FillSketch {
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
  readonly liquidity?: 'maker' | 'taker' | undefined;
}

function markoutsFixture(options: { readonly stepMs?: number; readonly toMs?: number } = {}) {
  const { stepMs = 0, toMs = Number.POSITIVE_INFINITY } = options;
  const cell = { last: Number.NaN };
  const prices = { cell: () => cell } as unknown as RecordedPrices;
  const markouts = new Markouts({ prices, stepsMs: new Map([['btc_usdt', stepMs]]), toMs });
  return {
    ...{ markouts, cell },
    fill: (timeMs: number, { side, price, amount, liquidity }: FillSketch) => {
      const value = Decimal.of(price).times(Decimal.of(amount));
      const fill = { market: 'btc_usdt', side, amount: amount as Amount, value };
      markouts.add(fill, { timeMs, liquidity });
    },
  };
}

const step = fc.record({
  waitMs: fc.constantFrom(1, 500, 1_000, 9_000, 60_000, 700_000),
  price: fc.integer({ min: 90, max: 110 }),
  fill: fc.option(
    fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      amount: fc.integer({ min: 1, max: 5 }),
      liquidity: fc.constantFrom('maker' as const, 'taker' as const, undefined),
    }),
  ),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The same by its definition: each fill is held against the newest price by its time. */
function naive(
  steps: readonly Step[],
  endMs: number,
): Map<string, [fills: number, gained: number]> {
  const sums = new Map<string, [number, number]>();
  let nowMs = 0;
  const prices = steps.map(({ waitMs, price }) => {
    nowMs += waitMs;
    return { timeMs: nowMs, price };
  });
  for (const [at, { fill, price }] of steps.entries()) {
    if (fill === null) continue;
    for (const afterMs of AFTER_MS) {
      const dueMs = prices[at]!.timeMs + afterMs;
      if (dueMs > endMs) continue;
      const then = prices.findLast(({ timeMs }) => timeMs <= dueMs)!;
      const gained = (then.price - price) * fill.amount * (fill.side === 'buy' ? 1 : -1);
      const key = `${fill.liquidity ?? 'unknown'} ${afterMs}`;
      const [fills, sum] = sums.get(key) ?? [0, 0];
      sums.set(key, [fills + 1, sum + gained]);
    }
  }
  return sums;
}

function plainOf(all: readonly Markout[]): Map<string, [fills: number, gained: number]> {
  return new Map(
    all.map(({ liquidity, afterMs, fills, gained }) => [
      `${liquidity} ${afterMs}`,
      [fills, gained],
    ]),
  );
}

describe('Markouts', () => {
  it('hold each fill against the newest price by each time behind it, as far as the run goes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const endMs = steps.reduce((sum, { waitMs }) => sum + waitMs, 0);
        const { markouts, cell, fill } = markoutsFixture({ toMs: endMs });
        let nowMs = 0;
        for (const { waitMs, price, fill: traded } of steps) {
          nowMs += waitMs;
          if (nowMs > markouts.dueMs) markouts.passTo(nowMs);
          cell.last = price;
          if (traded !== null) fill(nowMs, { ...traded, price });
        }
        markouts.passTo(endMs + 1);
        expect(plainOf(markouts.read())).toEqual(naive(steps, endMs));
        expect(markouts.dueMs).toBe(Number.POSITIVE_INFINITY);
      }),
      { seed: 61, numRuns: 300 },
    );
  });

  it('go by no times that are shorter than the candles, and by no price that nobody knows', () => {
    const { markouts, cell, fill } = markoutsFixture({ stepMs: MINUTE_MS });
    fill(0, { side: 'buy', price: 100, amount: 1 });
    markouts.passTo(MINUTE_MS + 1);
    cell.last = 101;
    fill(2 * MINUTE_MS, { side: 'buy', price: 100, amount: 1 });
    markouts.passTo(3_600_000);
    expect(plainOf(markouts.read())).toEqual(
      new Map([
        ['unknown 60000', [1, 1]],
        ['unknown 300000', [2, 2]],
        ['unknown 1800000', [2, 2]],
      ]),
    );
  });

  it('add up as many fills as there are', () => {
    const { markouts, cell, fill } = markoutsFixture();
    cell.last = 99;
    for (let at = 0; at < 5_000; at++) {
      markouts.passTo(at * 100);
      fill(at * 100, { side: 'sell', price: 100, amount: 2, liquidity: 'maker' });
    }
    markouts.passTo(1e9);
    expect(markouts.read()).toContainEqual({
      ...{ market: 'btc_usdt', liquidity: 'maker', afterMs: 1_000 },
      ...{ fills: 5_000, value: 1_000_000, gained: 10_000 },
    });
  });
});

describe('Meters', () => {
  it('are due with whatever comes first, and do that alone', () => {
    const { markouts, cell, fill } = markoutsFixture();
    const seen: string[] = [];
    const equity = {
      dueMs: 60_000,
      begin: () => seen.push('begin'),
      passTo: (timeMs: number) => {
        seen.push(`equity by ${timeMs}`);
        equity.dueMs = 120_000;
      },
      end: (timeMs: number) => seen.push(`end at ${timeMs}`),
    };
    const meters = new Meters(equity as unknown as EquityMeter, markouts);
    meters.begin(0, new Map());
    cell.last = 100;
    expect(meters.dueMs).toBe(60_000);
    meters.addFill(
      { market: 'btc_usdt', side: 'buy', amount: 1 as Amount, value: Decimal.of(100) },
      { timeMs: 58_000, liquidity: 'taker' },
    );
    expect(meters.dueMs).toBe(59_000);
    fill(59_500, { side: 'buy', price: 100, amount: 1 });
    meters.passTo(61_000);
    expect(markouts.read().map(({ afterMs }) => afterMs)).toEqual([1_000, 1_000]);
    expect(seen).toEqual(['begin']);
    expect(meters.dueMs).toBe(60_000);
    meters.passTo(61_000);
    expect(seen).toEqual(['begin', 'equity by 61000']);
    expect(meters.dueMs).toBe(68_000);
    meters.end(70_000);
    expect(seen.at(-1)).toBe('end at 70000');
  });
});
