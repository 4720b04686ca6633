import { describe, expect, it } from 'vitest';
import { type Bench, createBench, MARKET, quotes } from '../fixture.ts';

/** A resting bid that is replaced so many times, once in so many milliseconds. */
function requoting({ times, eachMs = 500 }: { times: number; eachMs?: number }) {
  const bench = createBench();
  const requote = (count: number): void => {
    for (let i = 0; i < count; i++) {
      bench.wish(quotes([[100 + (i % 2), 1]]));
      bench.clock.advanceBy(eachMs);
    }
  };
  bench.wish(quotes([99]));
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

  it('are looked into once in four seconds where none does', () => {
    const { bench, begin } = requoting({ times: 40 });
    bench.model.pushDelayMs = undefined;
    begin();
    expect(bench.model.of('cancel')).toHaveLength(40);
    expect(asked(bench)).toBeGreaterThan(2);
    expect(asked(bench)).toBeLessThanOrEqual(5);
    expect(rests(bench)).toBe(1);
  });

  it('are believed where reads lag a little longer than they may', () => {
    const { bench, begin } = requoting({ times: 40 });
    bench.model.pushDelayMs = undefined;
    bench.model.readLagMs = 3_500;
    begin();
    expect(bench.model.of('place')).toHaveLength(41);
    expect(rests(bench)).toBe(1);
  });

  it('leave few orders behind where they are not carried out, and none once they are', () => {
    const { bench, requote, begin } = requoting({ times: 60 });
    bench.model.carriesOutCancels = false;
    begin();
    expect(rests(bench)).toBeLessThanOrEqual(10);
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
    bench.clock.advanceBy(6_000);
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

describe('an order that trades on behind its acknowledged cancel', () => {
  it.each([
    ['it was not looked into, as another was', 10_000, undefined],
    ['it is about to be, as of before that', 3_500, undefined],
    ['a reading of its market begins with the lookup', 10_000, 2_000],
  ])('is found to rest though %s', (_, afterMs, readMs) => {
    const { bench } = requoting({ times: 0 });
    const requote = (at: number): void => {
      bench.wish(quotes([at]));
      bench.clock.advanceBy(100);
    };
    bench.model.pushDelayMs = undefined;
    if (afterMs > 4_000) requote(100);
    bench.model.carriesOutCancels = false;
    requote(98);
    bench.model.carriesOutCancels = true;
    bench.clock.advanceBy(afterMs);
    expect(rests(bench)).toBe(2);
    const [lost] = bench.model.open;
    bench.model.fill(lost!, 0.25);
    if (readMs !== undefined) bench.clock.schedule(() => bench.executor.reconcile('asked'), readMs);
    bench.model.pushes.next(lost!.record);
    bench.clock.advanceBy(8_000);
    expect(rests(bench)).toBe(1);
    expect(bench.live()).toHaveLength(1);
  });
});

/** Bids in so many markets that are replaced twice a second, without any pushes. */
function unpushed({ count, config = {} }: { count: number; config?: Record<string, unknown> }) {
  const ids = Array.from({ length: count }, (_, at) => `coin${at}_usdt`);
  const markets = ids.map((id) => ({ ...MARKET, id, base: id }));
  const bench = createBench({ config, markets });
  bench.model.pushDelayMs = undefined;
  const requote = (times: number): void => {
    for (let i = 0; i < times; i++) {
      for (const market of ids) bench.wish(quotes([[100 + (i % 2), 1]], [], { market }));
      bench.clock.advanceBy(500);
    }
  };
  return { bench, requote };
}

describe('lookups of orders that should be gone', () => {
  it('keep no order waiting whose fate is not known, however few questions may be asked', () => {
    const { bench, requote } = unpushed({ count: 6, config: { budget: { questionsShare: 0.02 } } });
    requote(100);
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'silent' } : {});
    bench.wish(quotes([90], [], { market: 'coin0_usdt' }));
    bench.clock.advanceBy(100);
    const inDoubt = bench.live().filter(({ status }) => status === 'unknown');
    expect(inDoubt).toHaveLength(1);
    bench.model.fate = () => ({});
    bench.clock.advanceBy(5_000);
    expect(bench.state(inDoubt[0]!.clientOrderId).status).toBe('open');
  });

  it('do not pile up where more are wanted than may be asked', () => {
    const { bench, requote } = unpushed({ count: 6, config: { budget: { questionsShare: 0.02 } } });
    requote(100);
    for (const { market } of bench.live()) bench.wish(quotes([], [], { market }));
    bench.clock.advanceBy(10_000);
    const asked = bench.model.of('order').length;
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('order')).toHaveLength(asked);
  });

  it('keep no stop waiting', () => {
    const { bench, requote } = unpushed({ count: 3 });
    requote(250);
    const beganMs = bench.clock.now();
    const told: unknown[] = [];
    bench.executor
      .stop()
      .subscribe(({ verified }) => told.push(verified, bench.clock.now() - beganMs < 5_000));
    bench.clock.advanceBy(30_000);
    expect(told).toEqual([true, true]);
  });
});
