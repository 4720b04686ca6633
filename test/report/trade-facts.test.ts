import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tradeFactsOf } from '../../src/report/metrics/trade-facts.ts';
import type { RoundTrip } from '../../src/report/trips/round-trip.ts';
import { tripsByEnd } from '../../src/report/trips/trips-by-end.ts';
import { MINUTE, START } from './fixture.ts';

/** A trip of one market: when it ended, if it did, and what it earned. */
function makeTrip(closeTime: number | undefined, profit: number): RoundTrip {
  return {
    ...{ market: 'btc_usdt', strategy: 'maker', side: 'long', openTime: START, closeTime },
    ...{
      amount: 1,
      entryPrice: 100,
      exitPrice: closeTime === undefined ? undefined : 100 + profit,
    },
    ...{ fees: 0, profit, profitShare: profit / 100, fills: 2, adverse: 0, favourable: 0 },
  } as RoundTrip;
}

/** The longest run of losses of trips that stand in order. */
function losingStreakOf(profits: readonly number[]): number {
  const runs = profits.map((profit) => (profit < 0 ? 'l' : '-')).join('');
  return Math.max(0, ...runs.split('-').map(({ length }) => length));
}

const trips = fc.array(
  fc.record({
    minute: fc.option(fc.integer({ min: 1, max: 9 })),
    profit: fc.integer({ min: -3, max: 3 }),
  }),
);

describe('tripsByEnd', () => {
  test('keeps those of one time as they come, and the open ones where they stand', () => {
    const made = [[2, 1], [3, 2], undefined, [1, 3], [3, 4], [2, 5], [4, 6], [3, 7]].map((end) =>
      makeTrip(end?.[0], end?.[1] ?? 0),
    );
    expect(Array.from(tripsByEnd(made), ({ profit }) => profit)).toEqual([3, 1, 5, 2, 0, 4, 7, 6]);
  });
});

describe('tradeFactsOf', () => {
  test('takes trips in the order of their ends, in whatever order they come', () => {
    fc.assert(
      fc.property(trips, (drawn) => {
        const closed = drawn.flatMap(({ minute, profit }) =>
          minute === null ? [] : [{ minute, profit }],
        );
        const profits = closed.sort((a, b) => a.minute - b.minute).map(({ profit }) => profit);
        const made = drawn.map(({ minute, profit }) =>
          makeTrip(minute === null ? undefined : START + minute * MINUTE, profit),
        );
        const facts = tradeFactsOf(made);
        expect([facts.count, facts.open]).toEqual([profits.length, drawn.length - profits.length]);
        expect(facts.losingStreak).toBe(losingStreakOf(profits));
        const won = profits.filter((profit) => profit > 0);
        expect([facts.wins, facts.won]).toEqual([won.length, won.reduce((a, b) => a + b, 0)]);
      }),
    );
  });
});
