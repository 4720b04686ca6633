import { describe, expect, it } from 'vitest';
import { DepthFindings } from '../../../../../src/app/backtest/data/findings/depth-findings.ts';
import type { DepthColumns } from '../../../../../src/domain/index.ts';
import { DEPTH_EVENTS } from '../../../../../src/history/index.ts';
import { START_MS } from '../../fixture.ts';

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
