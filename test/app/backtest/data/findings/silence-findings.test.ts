import { describe, expect, it } from 'vitest';
import { SilenceFindings } from '../../../../../src/app/backtest/data/findings/silence-findings.ts';
import { MINUTE, START_MS } from '../../fixture.ts';

const HOUR = 60 * MINUTE;

/** What is found in ticks at these hours of some, in chunks of two, gaps being known. */
function ofTicks(
  hours: readonly number[],
  gaps: readonly (readonly [number, number])[] = [],
  end = hours.at(-1)!,
) {
  const at = (hour: number): number => START_MS + hour * HOUR;
  const known = gaps.map(([from, to]) => ({ from: at(from), to: at(to), reason: 'away' }));
  const silences = new SilenceFindings(known, { fromMs: at(0), toMs: at(end) });
  for (let first = 0; first < hours.length; first += 2) {
    silences.observe({ time: Float64Array.from(hours.slice(first, first + 2), at) });
  }
  silences.end();
  return silences;
}

describe('SilenceFindings', () => {
  it('says nothing of ticks that come within the hour', () => {
    const { missingMs } = ofTicks([0, 0.5, 1.2, 2.19]);
    expect([missingMs, ofTicks([0, 0.5, 1.2, 2.19]).list()]).toEqual([0, []]);
  });

  it('names every silence of an hour, within a chunk and between two, and how long all are', () => {
    const silences = ofTicks([0, 1, 4, 4.5, 30]);
    expect(silences.list()).toEqual([
      'No row was recorded in 3 places, for 29.5 hours.',
      'No row was recorded from 2024-01-01 to 2024-01-01 01:00 UTC: for 1.0 hours.',
      'No row was recorded from 2024-01-01 01:00 to 2024-01-01 04:00 UTC: for 3.0 hours.',
      'No row was recorded from 2024-01-01 04:30 to 2024-01-02 06:00 UTC: for 25.5 hours.',
    ]);
    expect(silences.missingMs).toBe(29.5 * HOUR);
  });

  it('counts from the beginning of the period, and to its end', () => {
    const silences = ofTicks([3, 3.5], [], 8.5);
    expect(silences.list().slice(1)).toEqual([
      'No row was recorded from 2024-01-01 to 2024-01-01 03:00 UTC: for 3.0 hours.',
      'No row was recorded from 2024-01-01 03:30 to 2024-01-01 08:30 UTC: for 5.0 hours.',
    ]);
    expect(silences.missingMs).toBe(8 * HOUR);
    expect(ofTicks([0.9], [], 1.8).missingMs).toBe(0);
  });

  it('leaves out what is known to be missing', () => {
    const silences = ofTicks([0, 5, 9], [[1, 4]]);
    expect(silences.list()).toHaveLength(1);
    expect(silences.missingMs).toBe(4 * HOUR);
  });
});
