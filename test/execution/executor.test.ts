import { describe, expect, it } from 'vitest';
import { createBench, quotes } from './fixture.ts';

describe('Executor quotes', () => {
  it('arms the timed cancel, waits for its confirmation, then places', () => {
    const bench = createBench();
    bench.wish(quotes([[100, 1]], [[101, 1]]));
    expect(bench.model.calls.map(({ operation }) => operation)).toEqual(['cancelAllAfter']);
    bench.clock.advanceBy(10);
    expect(bench.model.calls.map(({ operation }) => operation)).toEqual([
      'cancelAllAfter',
      'place',
      'place',
    ]);
    bench.clock.advanceBy(10);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open']);
    expect(bench.model.open).toHaveLength(2);
  });

  it('replaces a quote: cancel first, place when the cancel is confirmed', () => {
    const bench = createBench();
    bench.wish(quotes([[100, 1]]));
    bench.clock.advanceBy(30);
    bench.wish(quotes([[99, 1]]));
    expect(bench.model.of('cancel')).toHaveLength(1);
    expect(bench.model.of('place')).toHaveLength(1);
    bench.clock.advanceBy(30);
    expect(bench.model.open.map(({ record }) => record.price)).toEqual([99]);
    expect(bench.model.of('place')).toHaveLength(2);
  });
});
