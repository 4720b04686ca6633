import { describe, expect, it } from 'vitest';
import { type Bench, createBench, quotes } from '../fixture.ts';

/** A bid that rests, and is replaced so many times, once in so many milliseconds. */
function requoting({ times, eachMs = 500 }: { times: number; eachMs?: number }) {
  const bench = createBench();
  const requote = (count: number): void => {
    for (let i = 0; i < count; i++) {
      bench.wish(quotes([[100 + (i % 2), 1]]));
      bench.clock.advanceBy(eachMs);
    }
  };
  bench.wish(quotes([[99, 1]]));
  bench.clock.advanceBy(100);
  return { bench, requote, begin: () => requote(times) };
}

const rests = ({ model }: Bench): number => model.open.length;
const asked = ({ model }: Bench): number => model.of('order').length;

describe('cancels that the exchange acknowledges', () => {
  it('cost no request where a push tells that the order is gone', () => {
    const { bench, begin } = requoting({ times: 20 });
    bench.model.pushDelayMs = 300;
    begin();
    expect(bench.model.of('cancel')).toHaveLength(20);
    expect(asked(bench)).toBe(0);
  });

  it('are looked into once in two seconds where none does', () => {
    const { bench, begin } = requoting({ times: 40 });
    bench.model.pushDelayMs = undefined;
    begin();
    expect(bench.model.of('cancel')).toHaveLength(40);
    expect(asked(bench)).toBeGreaterThan(5);
    expect(asked(bench)).toBeLessThanOrEqual(10);
    expect(rests(bench)).toBe(1);
  });

  it('leave few orders behind where they are not carried out, and none once they are', () => {
    const { bench, requote, begin } = requoting({ times: 60 });
    bench.model.carriesOutCancels = false;
    begin();
    expect(rests(bench)).toBeLessThanOrEqual(6);
    expect(bench.live()).toHaveLength(rests(bench));
    bench.model.carriesOutCancels = true;
    bench.clock.advanceBy(15_000);
    expect(rests(bench)).toBe(1);
    requote(4);
    expect(bench.live()).toHaveLength(1);
  });

  it('are believed again a minute after the last that was not carried out', () => {
    const { bench, requote } = requoting({ times: 0 });
    bench.model.carriesOutCancels = false;
    bench.model.pushDelayMs = undefined;
    requote(4);
    bench.clock.advanceBy(4_000);
    bench.model.carriesOutCancels = true;
    bench.clock.advanceBy(15_000);
    const replacedMs = (): number => {
      const before = bench.model.of('place').length;
      const startMs = bench.clock.now();
      bench.wish(quotes([[startMs % 2 === 0 ? 98 : 97, 1 + before]]));
      while (bench.model.of('place').length === before) bench.clock.advanceBy(100);
      return bench.clock.now() - startMs;
    };
    expect(replacedMs()).toBeGreaterThan(1_000);
    bench.clock.advanceBy(60_000);
    expect(replacedMs()).toBeLessThan(200);
  });
});
