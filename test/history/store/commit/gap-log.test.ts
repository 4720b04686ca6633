import { describe, expect, it } from 'vitest';
import { GapLog, gapsJoined } from '../../../../src/history/store/commit/gap-log.ts';

const reason = 'a pause';

/** A gap of a dataset that begins then. */
const gapAt = (from: number) => ({ from, to: from + 5, reason });

describe('GapLog', () => {
  it('counts in each gap what was left out in it, by what was so in all', () => {
    const log = new GapLog(undefined);
    log.begin({ from: 10, reason });
    log.end(20, 3);
    log.begin({ from: 30, reason });
    log.end(40, 7);
    expect(log.gaps.map(({ from, to, leftOut }) => [from, to, leftOut])).toEqual([
      [10, 20, 3],
      [30, 40, 4],
    ]);
  });

  it('has one gap from the first word of it on, that of a dataset too', () => {
    const log = new GapLog({ ...gapAt(1), leftOut: 2 });
    log.begin({ from: 10, reason: 'another' });
    log.end(20, 3);
    expect(log.gaps).toEqual([{ from: 1, to: 20, reason, leftOut: 3, leftOutBefore: 2 }]);
  });
});

describe('gapsJoined', () => {
  const before = [gapAt(10), gapAt(20), gapAt(30), gapAt(40), gapAt(50)];

  it('keep those of a dataset on both sides of what is replaced', () => {
    const added = { ...gapAt(33), leftOut: 0, leftOutBefore: 0 };
    const joined = gapsJoined(before, { gaps: [added], cut: 20, last: 40, gone: [] });
    expect(joined).toEqual([gapAt(10), gapAt(33), gapAt(50)]);
  });

  it('take the place of the one that they go on with, and of those whose rows go', () => {
    const added = { ...gapAt(10), to: 60, leftOut: 1, leftOutBefore: 2 };
    const joining = { gaps: [added], cut: Number.POSITIVE_INFINITY, last: 60 };
    const joined = gapsJoined(before, { ...joining, gone: [{ time: 20 }], openGap: gapAt(10) });
    const rest = [gapAt(30), gapAt(40), gapAt(50)];
    expect(joined).toEqual([{ from: 10, to: 60, reason, leftOut: 3 }, ...rest]);
  });
});
