import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTrader } from './fixture.ts';

const limits = { executionsPerWindowMax: 3, executionWindowMs: 1_000 };

/** An order of the strategy that trades in so many parts. */
function execute(trader: ReturnType<typeof makeTrader>, strategy: string, parts = 1): void {
  const id = trader.send({ strategy });
  for (let part = 1; part <= parts; part++) trader.fill(id, part / parts);
}

describe('watchExecutions', () => {
  it('halts with the first order that trades beyond the most of a strategy in a window', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 500 }),
      strategy: fc.constantFrom('maker', 'other'),
      parts: fc.constantFrom(1, 2),
      trades: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const trader = makeTrader({ limits });
        const traded: { time: number; strategy: string }[] = [];
        for (const { waitMs, strategy, parts, trades } of steps) {
          trader.clock.advanceBy(waitMs);
          const time = trader.clock.now();
          if (trades) {
            execute(trader, strategy, parts);
            traded.push({ time, strategy });
          } else trader.cancelled(trader.send({ strategy }));
          const inWindow = traded.filter((one) => one.strategy === strategy);
          const count = inWindow.filter((one) => one.time > time - 1_000).length;
          expect(trader.state.state).toBe(trades && count > 3 ? 'HALTED' : 'ACTIVE');
          if (count > 3) return;
        }
      }),
      { seed: 53, numRuns: 300 },
    );
  });

  it('counts an order once, though others trade between its parts', () => {
    const trader = makeTrader({ limits });
    const ids = [99, 98, 97].map((price) => trader.send({ price }));
    for (const filled of [0.25, 0.5, 0.75, 1]) {
      for (const id of ids) trader.fill(id, filled);
      trader.clock.advanceBy(300);
    }
    expect(trader.state.state).toBe('ACTIVE');
    execute(trader, 'maker');
    expect(trader.state.state).toBe('HALTED');
  });

  it('says whose they were, and counts anew after a reset by a person', () => {
    const trader = makeTrader({ limits });
    for (let at = 0; at < 4; at++) execute(trader, 'maker');
    expect(trader.state.reason).toBe('maker has traded more than 3 orders in 1 s');
    expect(trader.send()).toBe('tradingState');
    trader.state.reset();
    for (let at = 0; at < 3; at++) execute(trader, 'maker');
    expect(trader.state.state).toBe('ACTIVE');
  });

  it('looks at nothing where there is no such limit', () => {
    const trader = makeTrader();
    for (let at = 0; at < 1_000; at++) execute(trader, 'maker');
    expect(trader.state.state).toBe('ACTIVE');
  });
});
