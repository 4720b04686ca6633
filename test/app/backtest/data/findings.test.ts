import { describe, expect, it } from 'vitest';
import {
  CandleFindings,
  DepthFindings,
  gapsMs,
  SilenceFindings,
} from '../../../../src/app/backtest/data/findings.ts';
import type { DepthColumns } from '../../../../src/domain/index.ts';
import { DEPTH_EVENTS } from '../../../../src/history/index.ts';
import { MINUTE, type Minute, minuteColumns, START_MS } from '../fixture.ts';

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
      'Candles that cannot be, by their high and low or by a volume below 0: 3.',
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
        'Candles with a price of 0 or below were left out, as if they were missing: 2.',
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
      'Places beyond these: 10.',
    ]);
  });

  it('counts candles that do not open later than one before', () => {
    const passedOver = (count: number) => [
      `Candles that open no later than one before them were passed over: ${count}.`,
    ];
    expect(ofMinutes(0, 1, 1, 2)).toEqual(passedOver(1));
    expect(ofMinutes(0, 1, 2, 0, 1, 2, 3)).toEqual(passedOver(3));
  });
});

/** What is found in events of depth, a second each: `s`napshot, `g`ap, `c`hange. */
function ofEvents(text: string) {
  const names = { s: 'snapshot', g: 'gap', c: 'change' } as const;
  const span = { fromMs: START_MS, toMs: START_MS + 10_000 };
  const findings = new DepthFindings(span);
  const event = Float64Array.from(text, (one) => DEPTH_EVENTS[names[one as 's']]);
  const time = event.map((_, at) => START_MS + at * 1_000);
  findings.observe({ time, event } as unknown as DepthColumns);
  findings.end();
  return { list: findings.list(), seconds: findings.missingMs / 1_000 };
}

describe('DepthFindings', () => {
  it('names every gap, from its beginning to the next whole book', () => {
    const { list, seconds } = ofEvents('scgccsccgs');
    expect(seconds).toBe(4);
    expect(list).toEqual([
      'The book is unknown in 2 places, for 4.0 s.',
      'The book is unknown from 2024-01-01 00:00:02 to 2024-01-01 00:00:05 UTC: for 3.0 s.',
      'The book is unknown from 2024-01-01 00:00:08 to 2024-01-01 00:00:09 UTC: for 1.0 s.',
    ]);
  });

  it('has one that does not end go on to the end of the period', () => {
    expect(ofEvents('scgcg')).toEqual({
      list: ['The book is unknown from 2024-01-01 00:00:02 to 2024-01-01 00:00:10 UTC: for 8.0 s.'],
      seconds: 8,
    });
  });

  it('knows no book before the first whole one of the period', () => {
    expect(ofEvents('ccgcs')).toEqual({
      list: ['The book is unknown from 2024-01-01 to 2024-01-01 00:00:04 UTC: for 4.0 s.'],
      seconds: 4,
    });
    expect(ofEvents('').seconds).toBe(10);
  });
});

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
      'Nothing happens in 3 places, for 29.5 hours.',
      'Nothing happens from 2024-01-01 to 2024-01-01 01:00 UTC: for 1.0 hours.',
      'Nothing happens from 2024-01-01 01:00 to 2024-01-01 04:00 UTC: for 3.0 hours.',
      'Nothing happens from 2024-01-01 04:30 to 2024-01-02 06:00 UTC: for 25.5 hours.',
    ]);
    expect(silences.missingMs).toBe(29.5 * HOUR);
  });

  it('counts from the beginning of the period, and to its end', () => {
    const silences = ofTicks([3, 3.5], [], 8.5);
    expect(silences.list().slice(1)).toEqual([
      'Nothing happens from 2024-01-01 to 2024-01-01 03:00 UTC: for 3.0 hours.',
      'Nothing happens from 2024-01-01 03:30 to 2024-01-01 08:30 UTC: for 5.0 hours.',
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

describe('gapsMs', () => {
  it('counts the part of each gap that lies within', () => {
    const gaps = [
      { from: 0, to: 10, reason: 'away' },
      { from: 20, to: 30, reason: 'away' },
      { from: 90, to: 200, reason: 'away' },
    ];
    expect(gapsMs(gaps, { fromMs: 5, toMs: 100 })).toBe(5 + 10 + 10);
    expect(gapsMs([], { fromMs: 5, toMs: 100 })).toBe(0);
  });
});
