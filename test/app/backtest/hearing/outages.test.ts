import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isTouched,
  outageNotes,
  outageSpans,
  standing,
} from '../../../../src/app/backtest/hearing/outages.ts';
import { HOUR_MS, seededRandom, VirtualClock } from '../../../../src/kernel/index.ts';
import { MINUTE, START_MS } from '../fixture.ts';

const PERIOD = { warmFromMs: START_MS, fromMs: START_MS, toMs: START_MS + 1_000 * HOUR_MS };

/** Minutes since the start, of spans. */
const minutesOf = (spans: readonly { readonly fromMs: number; readonly toMs: number }[]) =>
  spans.map(({ fromMs, toMs }) => [(fromMs - START_MS) / MINUTE, (toMs - START_MS) / MINUTE]);

function spansOf(
  settings: Partial<Parameters<typeof outageSpans>[0]>,
  { period = PERIOD, seed = 'a' } = {},
) {
  const whole = { stated: [], drawn: undefined, arriving: 0.5, ...settings };
  return outageSpans(whole, { period, random: seededRandom(seed).fork('outages') });
}

const at = (minute: number, minutes: number) => ({
  from: new Date(START_MS + minute * MINUTE).toISOString(),
  lengthMs: minutes * MINUTE,
});

describe('outageSpans', () => {
  it('puts the stated ones in order, those that overlap or touch as one', () => {
    expect(minutesOf(spansOf({ stated: [at(50, 5), at(10, 5), at(12, 4), at(16, 1)] }))).toEqual([
      [10, 17],
      [50, 55],
    ]);
  });

  it('ends one with the data, and leaves out what lies outside of them', () => {
    const period = { ...PERIOD, warmFromMs: START_MS + 20 * MINUTE, toMs: START_MS + 60 * MINUTE };
    const stated = [at(1, 2), at(18, 4), at(58, 9), at(60, 5)];
    expect(minutesOf(spansOf({ stated }, { period }))).toEqual([
      [18, 22],
      [58, 60],
    ]);
  });

  it('draws times and lengths around their means', () => {
    const spans = spansOf({ drawn: { everyHours: 0.5, lengthMs: 90_000 } });
    const lengths = spans.map(({ fromMs, toMs }) => toMs - fromMs);
    const meanMs = lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
    // 1000 hours of one each 31.5 minutes: 1905 are expected, their deviation is 44.
    expect(Math.abs(spans.length - 1_905)).toBeLessThan(150);
    expect(Math.abs(meanMs - 90_000)).toBeLessThan(7_000);
    expect(lengths.every((one) => Number.isInteger(one) && one >= 1)).toBe(true);
  });

  it('draws the same with the same seed, however long the data and the warm-up are', () => {
    const drawn = { everyHours: 10, lengthMs: 90_000 };
    const spans = spansOf({ drawn });
    const half = START_MS + 500 * HOUR_MS + 1;
    const other = { ...PERIOD, warmFromMs: START_MS - 50 * HOUR_MS, toMs: half };
    expect(spansOf({ drawn }, { period: other })).toEqual(
      spans.filter(({ fromMs }) => fromMs < half),
    );
    expect(spansOf({ drawn }, { seed: 'b' })).not.toEqual(spans);
  });
});

describe('outageNotes', () => {
  it('name the stated ones outside of the period, those at its very ends among them', () => {
    const fromMs = Date.UTC(2024, 0, 2);
    const period = { warmFromMs: fromMs, fromMs, toMs: fromMs + 60_000 };
    const at = (ms: number) => new Date(fromMs + ms).toISOString();
    const stated = [-1_000, -999, 59_999, 60_000].map((ms) => ({ from: at(ms), lengthMs: 1_000 }));
    expect(outageNotes({ stated, arriving: 0.5 }, period)).toEqual([
      'The outage of backtest.simulate.outages.stated[0] is not simulated: it begins at 2024-01-01 23:59:59 UTC, outside of the period.',
      'The outage of backtest.simulate.outages.stated[3] is not simulated: it begins at 2024-01-02 00:01 UTC, outside of the period.',
    ]);
    expect(outageNotes(undefined, period)).toEqual([]);
  });
});

describe('isTouched', () => {
  it('is what looking at each span says', () => {
    const spans = [3, 10, 11.5, 30].map((fromMs, i) => ({ fromMs, toMs: fromMs + 1 + i }));
    const moment = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const naive = spans.some((span) => from < span.toMs && to >= span.fromMs);
        expect(isTouched(spans, from, to)).toBe(naive);
      }),
    );
  });
});

describe('standing', () => {
  it('tells when each begins and ends, from the middle of one on too', () => {
    const spans = [
      { fromMs: 5, toMs: 10 },
      { fromMs: 20, toMs: 21 },
    ];
    const told = (startMs: number) => {
      const clock = new VirtualClock(startMs);
      const changes: unknown[] = [];
      const heard = standing(spans, clock).subscribe((is) => changes.push([clock.now(), is]));
      clock.advanceTo(20);
      heard.unsubscribe();
      clock.advanceTo(100);
      return changes;
    };
    expect(told(0)).toEqual([
      [5, false],
      [10, true],
      [20, false],
    ]);
    expect(told(7)).toEqual([
      [7, false],
      [10, true],
      [20, false],
    ]);
    expect(told(12)).toEqual([[20, false]]);
  });
});
