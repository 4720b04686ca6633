import { describe, expect, it } from 'vitest';
import { createBench, quotes } from '../fixture.ts';

describe('Canceller', () => {
  it('cancels again what is read as open after an answer without totals', () => {
    const bench = createBench();
    const { clock, model } = bench;
    bench.wish(quotes([100]));
    clock.advanceBy(50);
    model.cancelsWithTotals = false;
    model.pushDelayMs = undefined;
    model.readLagMs = 10_000;
    bench.wish(quotes([]));
    clock.advanceBy(9_000);
    const sent = model.of('cancel').map(({ sentMs }) => sentMs);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent[1]! - sent[0]!).toBeGreaterThan(2 * bench.config.readLagMs);
  });

  it('asks nothing about an order whose end was told before its cancel failed', () => {
    const bench = createBench();
    const { clock, model } = bench;
    bench.wish(quotes([100]));
    clock.advanceBy(50);
    model.fate = () => ({ thereMs: 50 });
    bench.wish(quotes([]));
    model.fill(model.open[0]!);
    clock.advanceBy(10_000);
    expect(bench.live()).toEqual([]);
    expect([model.of('cancel').length, model.of('order').length]).toEqual([1, 0]);
  });

  it('says how long a cancel has waited since it was wanted last', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    bench.budget.limited();
    for (const bids of [[], [100], []]) {
      bench.wish(quotes(bids));
      bench.clock.advanceBy(50);
    }
    const sinceMs = bench.clock.now() - 50;
    bench.executor.signOfLife();
    bench.clock.advanceBy(10_000);
    const cancels = bench.ofKind('request').filter(({ operation }) => operation === 'cancel');
    expect(cancels.map(({ time, waitedMs }) => time - waitedMs)).toEqual([sinceMs]);
  });
});
