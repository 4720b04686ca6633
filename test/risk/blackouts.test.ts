import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blackoutAt,
  blackoutEndMs,
  blackoutSchema,
  nextBlackoutMs,
} from '../../src/risk/blackouts.ts';

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const MINUTE_MS = 60_000;

const two = (value: number): string => String(value).padStart(2, '0');
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 30, 59))
  .map(([hours, minutes]) => `${two(hours)}:${two(minutes)}`);
const window = fc.record(
  { from: time, to: time, days: fc.subarray([...WEEKDAYS], { minLength: 1 }) },
  { requiredKeys: ['from', 'to'] },
);

/** Walks back minute by minute to a beginning, or to an end. */
function isInside({ from, to, days }: { from: string; to: string; days?: string[] }, ms: number) {
  for (let back = 0; back < 24 * 60; back++) {
    const then = new Date(ms - back * MINUTE_MS);
    const clock = then.toISOString().slice(11, 16);
    if (clock === from) return days?.includes(WEEKDAYS[then.getUTCDay()]!) ?? true;
    if (clock === to) return false;
  }
  return false;
}

describe('blackoutEndMs', () => {
  const at = (text: string) => Date.parse(`2024-05-03T${text}:00Z`);

  it('is the first time from then on that lies in none, undefined where that is at once', () => {
    const ms = fc.integer({ min: 1_700_000_000_000, max: 1_702_000_000_000 });
    const windows = fc.array(window, { maxLength: 3 });
    fc.assert(
      fc.property(windows, ms, (all, from) => {
        const endMs = blackoutEndMs(all, from);
        expect(endMs === undefined).toBe(blackoutAt(all, from) === undefined);
        if (endMs === undefined || endMs === Number.POSITIVE_INFINITY) return;
        expect(blackoutAt(all, endMs)).toBeUndefined();
        expect(blackoutAt(all, endMs - 1)).toBeDefined();
        for (let time = from; time < endMs; time += 7 * MINUTE_MS) {
          expect(blackoutAt(all, time)).toBeDefined();
        }
      }),
      { seed: 66, numRuns: 300 },
    );
  });

  it('goes on with a window that begins before the first is over, or as it is', () => {
    const windows = ['13:30-13:40', '13:35-14:00', '14:00-14:10', '14:20-14:30'].map((text) => {
      const [from, to] = text.split('-') as [string, string];
      return { from, to };
    });
    expect(blackoutEndMs(windows, at('13:30'))).toBe(at('14:10'));
    expect(blackoutEndMs(windows, at('14:10'))).toBeUndefined();
  });

  it('is never where the windows leave no time of the week', () => {
    expect(blackoutEndMs([{ from: '00:00', to: '00:00' }], at('12:00'))).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});

describe('blackoutAt', () => {
  it('finds the window that a naive walk back in time finds', () => {
    const ms = fc.integer({ min: 1_700_000_000_000, max: 1_702_000_000_000 });
    fc.assert(
      fc.property(window, ms, (one, at) => {
        expect(blackoutAt([one], at) !== undefined).toBe(isInside(one, at));
      }),
      { seed: 62, numRuns: 5_000 },
    );
  });

  it.each([
    ['2024-05-01T13:29:59.999Z', false],
    ['2024-05-01T13:30:00Z', true],
    ['2024-05-01T13:39:59.999Z', true],
    ['2024-05-01T13:40:00Z', false],
    ['2024-05-02T13:35:00Z', false],
  ])('is of its days, from its beginning to ahead of its end: %s %s', (at, inside) => {
    const windows = [{ from: '13:30', to: '13:40', days: ['wed' as const] }];
    expect(blackoutAt(windows, Date.parse(at)) !== undefined).toBe(inside);
  });

  it('goes on past midnight where its end is no later than its beginning', () => {
    const windows = [{ from: '23:50', to: '00:10', days: ['fri' as const] }];
    const inside = (at: string) => blackoutAt(windows, Date.parse(at)) !== undefined;
    expect(inside('2024-05-03T23:55:00Z')).toBe(true);
    expect(inside('2024-05-04T00:05:00Z')).toBe(true);
    expect(inside('2024-05-04T23:55:00Z')).toBe(false);
    expect(inside('2024-05-03T00:05:00Z')).toBe(false);
  });

  it.each(['24:00', '1:30', '13:60', '13', '13:30:00'])(
    'takes %s for no time of the day',
    (from) => {
      expect(blackoutSchema.safeParse({ from, to: '00:00' }).success).toBe(false);
    },
  );
});

describe('nextBlackoutMs', () => {
  it('is the first minute behind a time at which a window begins, within eight days', () => {
    const day = fc.constantFrom('sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat');
    const clock = fc
      .integer({ min: 0, max: 1_439 })
      .map((at) => `${pad(Math.floor(at / 60))}:${pad(at % 60)}`);
    const window = fc.record(
      { from: clock, to: clock, days: fc.uniqueArray(day, { minLength: 1 }) },
      { requiredKeys: ['from', 'to'] },
    );
    const time = fc.integer({ min: 1_700_000_000_000, max: 1_700_700_000_000 });
    fc.assert(
      fc.property(fc.array(window, { maxLength: 3 }), time, (windows, timeMs) => {
        let expected = Number.POSITIVE_INFINITY;
        const first = Math.floor(timeMs / 60_000) + 1;
        for (let minute = first; minute <= first + 8 * 1_440; minute++) {
          const at = new Date(minute * 60_000);
          const name = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][at.getUTCDay()]!;
          const text = at.toISOString().slice(11, 16);
          if (
            !windows.some(
              ({ from, days }) =>
                from === text && ((days as string[] | undefined)?.includes(name) ?? true),
            )
          )
            continue;
          expected = minute * 60_000;
          break;
        }
        expect(nextBlackoutMs(windows as never, timeMs)).toBe(expected);
      }),
      { seed: 66, numRuns: 60 },
    );
  });
});

function pad(part: number): string {
  return String(part).padStart(2, '0');
}
