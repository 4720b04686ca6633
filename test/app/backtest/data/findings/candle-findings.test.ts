import { describe, expect, it } from 'vitest';
import { CandleFindings } from '../../../../../src/app/backtest/data/findings/candle-findings.ts';
import { MINUTE, type Minute, minuteColumns } from '../../fixture.ts';

/** What is found in candles of these minutes, in chunks of three. */
function ofMinutes(...minutes: number[]): string[] {
  const findings = new CandleFindings(MINUTE);
  for (let at = 0; at < minutes.length; at += 3) {
    const chunk = minutes.slice(at, at + 3).map((minute): Minute => ({ at: minute, close: 100 }));
    findings.observe(minuteColumns(chunk));
  }
  return findings.list();
}

describe('CandleFindings', () => {
  it('finds nothing in whole data', () => {
    expect(ofMinutes(0, 1, 2, 3, 4, 5, 6)).toEqual([]);
  });

  it('counts candles that cannot be', () => {
    const findings = new CandleFindings(MINUTE);
    const chunk = minuteColumns([0, 1, 2, 3].map((at): Minute => ({ at, close: 100 })));
    chunk.high[1] = 50;
    chunk.low[2] = 101;
    chunk.volume[3] = -5;
    findings.observe(chunk);
    expect(findings.list()).toEqual([
      'Impossible candles (open or close beyond high or low, or a volume below 0): 3.',
    ]);
  });

  it.each(['open', 'high', 'low', 'close'] as const)(
    'leaves out candles whose %s is no price',
    (column) => {
      const findings = new CandleFindings(MINUTE);
      const chunk = minuteColumns([0, 1, 2, 3].map((at): Minute => ({ at, close: 100 })));
      chunk[column].set([0, -5], 1);
      expect(findings.observe(chunk)).toBe(2);
      expect(findings.list()).toEqual([
        '2 candles are missing from 2024-01-01 00:01 to 2024-01-01 00:03 UTC.',
        'Candles left out, and counted as missing, because a price is 0 or below: 2.',
      ]);
    },
  );

  it('names every hole with its ends, within a chunk and between two', () => {
    expect(ofMinutes(0, 1, 3, 4, 5, 6, 9, 10)).toEqual([
      '3 candles are missing, in 2 places; the longest hole, of 2 candles, is from 2024-01-01 00:07 to 2024-01-01 00:09 UTC.',
      '1 candle is missing from 2024-01-01 00:02 to 2024-01-01 00:03 UTC.',
      '2 candles are missing from 2024-01-01 00:07 to 2024-01-01 00:09 UTC.',
    ]);
    expect(ofMinutes(0, 60)).toEqual([
      '59 candles are missing from 2024-01-01 00:01 to 2024-01-01 01:00 UTC.',
    ]);
  });

  it('names the first twenty of many, and counts all', () => {
    const found = ofMinutes(...Array.from({ length: 31 }, (_, at) => 2 * at));
    expect(found).toHaveLength(22);
    expect([found[0], found.at(-1)]).toEqual([
      '30 candles are missing, in 30 places; the longest hole, of 1 candle, is from 2024-01-01 00:01 to 2024-01-01 00:02 UTC.',
      'Further places: 10.',
    ]);
  });

  it('counts candles that do not open later than one before', () => {
    const passedOver = (count: number) => [
      `Candles left out because an earlier row has the same or a later time: ${count}.`,
    ];
    expect(ofMinutes(0, 1, 1, 2)).toEqual(passedOver(1));
    expect(ofMinutes(0, 1, 2, 0, 1, 2, 3)).toEqual(passedOver(3));
  });
});
