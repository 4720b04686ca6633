import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Asking,
  PolledHearing,
  PushedHearing,
} from '../../../../src/app/backtest/hearing/hearing.ts';

const spans = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([fromMs, toMs]) => ({ fromMs, toMs }));

/** Asks at 250, 750, 1250 ... */
const ASKING: Asking = { firstMs: 250, everyMs: 500, timeoutMs: 5_000, backoffMaxMs: 30_000 };

const polled = (outages: readonly (readonly [number, number])[] = [], asking = {}) =>
  new PolledHearing({ ...ASKING, ...asking }, spans(...outages));

/** Outages, the second of which begins in the very millisecond in which an answer arrives. */
const MET: [number, number][] = [
  [0, 251],
  [63_076, 1],
];

describe('PolledHearing', () => {
  it('hears what happens between two requests with the answer to the later one', () => {
    const hearing = polled();
    const heard = [250, 251, 740, 750, 751, 5_000].map((timeMs) => hearing.heardMs(timeMs, 40));
    expect(heard).toEqual([290, 790, 790, 790, 1_290, 5_290]);
  });

  it('asks again only when a slow answer is there', () => {
    const hearing = polled();
    // Asked at 250, answered at 1050; asked there, answered at 1850; and so on.
    expect(hearing.heardMs(100, 800)).toBe(1_050);
    expect([300, 1_060, 1_851].map((timeMs) => hearing.heardMs(timeMs, 800))).toEqual([
      1_850, 2_650, 3_450,
    ]);
  });

  it('draws one latency for an answer: that of the first row it tells of', () => {
    const hearing = polled();
    expect([300, 310, 800].map((timeMs, at) => hearing.heardMs(timeMs, 10 * at))).toEqual([
      750, 750, 1_270,
    ]);
  });

  it('tells of how things stand with each request, though nothing happens', () => {
    const hearing = polled();
    expect(hearing.heardMs(300, 20)).toBe(770);
    expect([hearing.nextMs(), hearing.nextMs()]).toEqual([1_270, 1_770]);
    // A row before the last of these comes with it.
    expect([hearing.heardMs(1_740, 30), hearing.heardMs(1_760, 30)]).toEqual([1_780, 2_280]);
  });

  it('backs off where requests have no answer', () => {
    // Asked at 750: no answer, given up at 5750, a pause of 1000; asked at 6750: given up at 11750,
    // a pause of 2000; asked at 13750, behind the outage.
    const hearing = polled([[700, 7_000]]);
    expect([hearing.heardMs(600, 20), hearing.heardMs(14_000, 20)]).toEqual([13_770, 14_270]);
    // The pause is no longer than its limit.
    expect(polled([[700, 7_000]], { backoffMaxMs: 500 }).heardMs(600, 20)).toBe(
      750 + 5_000 + 500 + 5_000 + 500 + 20,
    );
  });

  it('is not put off by an outage that is far ahead', () => {
    const hearing = polled([[100_000, 101_000]]);
    expect([300, 50_000].map((timeMs) => hearing.heardMs(timeMs, 20))).toEqual([770, 50_270]);
  });

  it('loses an answer that an outage meets on its way', () => {
    expect(polled([[760, 770]]).heardMs(300, 20)).toBe(750 + 5_000 + 1_000 + 20);
    expect(polled([[771, 780]]).heardMs(300, 20)).toBe(770);
  });

  it('is the same however far apart the rows are', () => {
    const rows = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 30 });
    const outage = fc.tuple(
      fc.integer({ min: 0, max: 200_000 }),
      fc.integer({ min: 1, max: 9_000 }),
    );
    fc.assert(
      fc.property(
        rows,
        fc.array(outage, { maxLength: 4 }),
        fc.integer({ max: 700, min: 0 }),
        (steps, cut, takesMs) => {
          const outages: [number, number][] = [];
          for (const [fromMs, lengthMs] of cut.sort((a, b) => a[0] - b[0])) {
            if (fromMs > (outages.at(-1)?.[1] ?? -1)) outages.push([fromMs, fromMs + lengthMs]);
          }
          const [sparse, dense] = [polled(outages), polled(outages)];
          sparse.heardMs(1, takesMs);
          dense.heardMs(1, takesMs);
          let timeMs = 1;
          for (const step of steps) {
            for (let between = timeMs; between < timeMs + step; between += 97) {
              dense.heardMs(between, takesMs);
            }
            timeMs += step;
            const heardMs = sparse.heardMs(timeMs, takesMs);
            expect(heardMs).toBe(dense.heardMs(timeMs, takesMs));
            expect(heardMs).toBeGreaterThanOrEqual(timeMs + takesMs);
          }
        },
      ),
      { examples: [[[23_079, 39_996], MET, 693]] },
    );
  });
});

describe('PushedHearing', () => {
  it('hears what happens after its latency', () => {
    const hearing = new PushedHearing([]);
    expect([hearing.heardMs(5, 0), hearing.heardMs(7, 3), hearing.nextMs(7)]).toEqual([
      5,
      10,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('reads when the line stands again what an outage swallows', () => {
    const hearing = new PushedHearing(spans([100, 200], [203, 300]));
    // One arrives before it, one would arrive when it begins, one when it is over.
    expect(hearing.heardMs(94, 5)).toBe(99);
    expect(hearing.heardMs(95, 5)).toBe(305);
    expect(hearing.heardMs(150, 2)).toBe(202);
    expect(hearing.heardMs(200, 2)).toBe(202);
    expect(hearing.heardMs(300, 2)).toBe(302);
  });

  it('hears how things stand after the next outage', () => {
    const hearing = new PushedHearing(spans([100, 200], [400, 500]));
    hearing.heardMs(50, 5);
    expect([hearing.nextMs(55), hearing.nextMs(205), hearing.nextMs(505)]).toEqual([
      205,
      505,
      Number.POSITIVE_INFINITY,
    ]);
  });
});
