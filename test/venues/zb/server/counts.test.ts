import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeakCounter, Tally } from '../../../../src/venues/zb/server/counts.ts';

/** The highest number in any window (t - windowMs, t], by looking at every pair. */
function naivePeak(times: readonly number[], windowMs: number): number {
  const inWindow = (end: number) => times.filter((time) => time > end - windowMs && time <= end);
  return Math.max(0, ...times.map((time) => inWindow(time).length));
}

describe('PeakCounter', () => {
  it('agrees with counting every window', () => {
    const steps = fc.array(fc.nat(400), { maxLength: 120 });
    fc.assert(
      fc.property(steps, (deltas) => {
        const counter = new PeakCounter(1_000);
        let now = 0;
        const times = deltas.map((delta) => {
          now += delta < 200 ? 0 : delta;
          counter.add(now);
          return now;
        });
        expect(counter.highest).toBe(naivePeak(times, 1_000));
        expect(counter.total).toBe(times.length);
      }),
      { seed: 3 },
    );
  });
});

describe('Tally', () => {
  it('forgets silent ones of very many addresses, and no other', () => {
    const tally = new Tally();
    for (let at = 0; at < 20_000; at++) {
      tally.signed(`a${at}`, at * 1_000);
      tally.signed('steady', at * 1_000);
      tally.candles(`a${at}`, at * 1_000);
    }
    const { addresses, candles } = tally.counts();
    expect(Object.keys(addresses).length).toBeLessThanOrEqual(1_024);
    expect(Object.keys(candles).length).toBeLessThanOrEqual(1_024);
    expect(addresses.steady).toEqual({ total: 20_000, highest: 60 });
  });

  it('is empty at first and shows a copy', () => {
    const tally = new Tally();
    const before = tally.counts();
    tally.refusal(4002);
    tally.key('k', 0);
    expect(before).toEqual({ requests: 0, refusals: {}, keys: {}, addresses: {}, candles: {} });
    expect(tally.counts()).toMatchObject({ refusals: { 4002: 1 }, keys: { k: { highest: 1 } } });
  });
});
