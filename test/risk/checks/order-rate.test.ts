import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderRate } from '../../../src/risk/checks/order-rate.ts';
import { OrderPace } from '../../../src/risk/order-pace.ts';
import { OrderReview } from '../../../src/risk/review.ts';
import { makeDraft, makeRisk } from '../fixture.ts';

const limits = { orderRateWindowMs: 100, ordersPerWindowMax: 4, strategyOrdersPerWindowMax: 3 };

describe('orderRate', () => {
  it('lets no window hold more than the limits, and refuses nothing that fits', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 60 }),
      strategy: fc.constantFrom('maker', 'other'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { view, clock } = makeRisk({ limits });
        const pace = new OrderPace(view.config);
        const check = orderRate(view, pace);
        const passed: { time: number; strategy: string }[] = [];
        for (const { waitMs, strategy } of steps) {
          clock.advanceBy(waitMs);
          const time = clock.now();
          const inWindow = passed.filter((order) => order.time > time - 100);
          const own = inWindow.filter((order) => order.strategy === strategy);
          const rules = view.rules.of('btc_usdt')!;
          const review = new OrderReview({ view, rules, strategy }, makeDraft({ strategy }));
          const refused = check.onOrder?.(review) !== undefined;
          expect(refused).toBe(inWindow.length >= 4 || own.length >= 3);
          const opensMs = pace.opensMs(strategy, time);
          expect(opensMs > time).toBe(refused);
          const isFree = (atMs: number) => {
            const isIn = (order: { time: number }) => order.time > atMs - 100;
            return inWindow.filter(isIn).length < 4 && own.filter(isIn).length < 3;
          };
          expect([isFree(opensMs), refused && isFree(opensMs - 1)]).toEqual([true, false]);
          if (refused) continue;
          check.onPassed?.(review);
          passed.push({ time, strategy });
        }
      }),
      { seed: 28, numRuns: 300 },
    );
  });
});
