import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BUFFERED_DIFFS_MAX,
  type DepthDiff,
  type DepthRecord,
  DepthSynchronizer,
} from '../../src/history/depth-synchronizer.ts';
import { diffOf, snapshotOf } from './fixture.ts';

const kindsOf = (records: readonly DepthRecord[]): string[] => records.map(({ kind }) => kind);

describe('DepthSynchronizer on spot diffs', () => {
  it('drops what the snapshot holds, uses the diff that spans it and all that follow', () => {
    const depth = new DepthSynchronizer();
    const changes = [['buy', 1, 1]] as const;
    expect(depth.diff(diffOf({ firstUpdateId: 1, lastUpdateId: 5, changes }))).toEqual([]);
    expect(depth.diff(diffOf({ firstUpdateId: 6, lastUpdateId: 9, changes }))).toEqual([]);
    const book = { time: 900, bids: [[1, 1]], asks: [[2, 1]] } as const;
    expect(depth.snapshot({ lastUpdateId: 7, ...book })).toEqual([
      { kind: 'book', ...book },
      { kind: 'levels', time: 1_000, changes },
    ]);
    expect(kindsOf(depth.diff(diffOf({ firstUpdateId: 10, lastUpdateId: 10 })))).toEqual([
      'levels',
    ]);
    expect(depth.leftOut).toBe(0);
  });

  it('drops a diff that ends at the snapshot', () => {
    const depth = new DepthSynchronizer();
    depth.snapshot(snapshotOf({ lastUpdateId: 7 }));
    expect(depth.diff(diffOf({ firstUpdateId: 5, lastUpdateId: 7 }))).toEqual([]);
    expect(kindsOf(depth.diff(diffOf({ firstUpdateId: 8, lastUpdateId: 8 })))).toEqual(['levels']);
  });

  it('tells a gap where an update is missing, then waits for the next snapshot', () => {
    const depth = new DepthSynchronizer();
    depth.snapshot(snapshotOf({ lastUpdateId: 7 }));
    depth.diff(diffOf({ firstUpdateId: 8, lastUpdateId: 8 }));
    const [gap] = depth.diff(diffOf({ time: 5, firstUpdateId: 10, lastUpdateId: 12 }));
    expect(gap).toEqual({ kind: 'gap', time: 5, reason: 'depth updates 9 to 9 are missing' });
    expect(depth.book).toBeUndefined();
    expect(depth.diff(diffOf({ firstUpdateId: 13, lastUpdateId: 14 }))).toEqual([]);
    const records = depth.snapshot(snapshotOf({ lastUpdateId: 11 }));
    expect(kindsOf(records)).toEqual(['book', 'levels', 'levels']);
    expect(depth.end()).toEqual([]);
  });

  it('tells a gap when the snapshot is older than the first diff', () => {
    const depth = new DepthSynchronizer();
    depth.diff(diffOf({ firstUpdateId: 10, lastUpdateId: 12 }));
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId: 7 })))).toEqual(['book', 'gap']);
    expect(depth.book).toBeUndefined();
  });

  it('says nothing of a snapshot that is older than the book', () => {
    const depth = new DepthSynchronizer();
    depth.snapshot(snapshotOf({ lastUpdateId: 7 }));
    expect(depth.snapshot(snapshotOf({ lastUpdateId: 7 }))).toEqual([]);
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId: 9 })))).toEqual(['book']);
  });
});

describe('DepthSynchronizer, of diffs that wait,', () => {
  it('tells at the end of those that did so in vain, from the first of them on', () => {
    let waits = 0;
    const depth = new DepthSynchronizer({ onWait: () => waits++ });
    depth.diff(diffOf({ time: 5, firstUpdateId: 1, lastUpdateId: 1, changes: [['buy', 1, 1]] }));
    expect(waits).toBe(1);
    depth.diff(diffOf({ time: 9, firstUpdateId: 2, lastUpdateId: 2, changes: [['buy', 1, 2]] }));
    expect(depth.leftOut).toBe(0);
    const reason = 'depth changes have no snapshot to start from';
    expect(depth.end()).toEqual([{ kind: 'gap', time: 5, reason }]);
    expect([depth.leftOut, waits]).toEqual([2, 1]);
    expect(depth.end()).toEqual([]);
  });

  it('does not tell again of those that wait behind a gap that was told', () => {
    let waits = 0;
    const depth = new DepthSynchronizer({ onWait: () => waits++ });
    depth.snapshot(snapshotOf({ lastUpdateId: 7 }));
    const changes = [['buy', 1, 1]] as const;
    expect(kindsOf(depth.diff(diffOf({ firstUpdateId: 9, lastUpdateId: 9, changes })))).toEqual([
      'gap',
    ]);
    expect(depth.end()).toEqual([]);
    expect([depth.leftOut, waits]).toEqual([1, 0]);
  });

  it('keeps a bounded number, and tells when they become too many', () => {
    const depth = new DepthSynchronizer();
    const next = (id: number): DepthRecord[] =>
      depth.diff(
        diffOf({ time: id, firstUpdateId: id, lastUpdateId: id, changes: [['buy', 1, 1]] }),
      );
    for (let id = 1; id <= BUFFERED_DIFFS_MAX; id++) expect(next(id)).toEqual([]);
    expect(next(BUFFERED_DIFFS_MAX + 1)).toMatchObject([{ kind: 'gap', time: 1 }]);
    expect(next(BUFFERED_DIFFS_MAX + 2)).toEqual([]);
    expect(depth.leftOut).toBe(2);
    const lastUpdateId = BUFFERED_DIFFS_MAX;
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId })))).toEqual([
      ...['book', 'levels', 'levels'],
    ]);
    expect(depth.leftOut).toBe(BUFFERED_DIFFS_MAX);
  });

  it('stamps a book no later than the first change that it gets', () => {
    const depth = new DepthSynchronizer();
    depth.diff(diffOf({ time: 100, firstUpdateId: 1, lastUpdateId: 5 }));
    depth.diff(diffOf({ time: 200, firstUpdateId: 6, lastUpdateId: 9 }));
    const records = depth.snapshot(snapshotOf({ time: 200, lastUpdateId: 4 }));
    expect(records.map(({ time }) => time)).toEqual([100, 100, 200]);
  });
});

describe('DepthSynchronizer, of a snapshot that is ahead of the changes told,', () => {
  function known(): DepthSynchronizer {
    const depth = new DepthSynchronizer();
    depth.snapshot(snapshotOf({ lastUpdateId: 7 }));
    depth.diff(diffOf({ firstUpdateId: 8, lastUpdateId: 8 }));
    return depth;
  }

  it('takes it where the next diff goes on with the book', () => {
    const depth = known();
    expect(depth.snapshot(snapshotOf({ lastUpdateId: 12 }))).toEqual([]);
    const diff = diffOf({ firstUpdateId: 9, lastUpdateId: 14 });
    expect(kindsOf(depth.diff(diff))).toEqual(['book', 'levels']);
  });

  it('tells a gap where updates between them are missing, until the diff that shows it', () => {
    const depth = known();
    depth.snapshot(snapshotOf({ time: 20, lastUpdateId: 12 }));
    const diff = diffOf({ time: 30, firstUpdateId: 10, lastUpdateId: 14 });
    const [gap, book, levels] = depth.diff(diff);
    expect(gap).toEqual({ kind: 'gap', time: 30, reason: 'depth updates 9 to 9 are missing' });
    expect([book, levels]).toMatchObject([
      { kind: 'book', time: 30 },
      { kind: 'levels', time: 30 },
    ]);
  });

  it('tells a gap where another snapshot comes and no diff, and takes the end of a file as it is', () => {
    const [depth, ended] = [known(), known()];
    depth.snapshot(snapshotOf({ lastUpdateId: 12 }));
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId: 15 })))).toEqual(['gap', 'book']);
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId: 16 })))).toEqual(['book']);
    ended.snapshot(snapshotOf({ lastUpdateId: 12 }));
    expect(kindsOf(ended.endFile())).toEqual(['book']);
    expect(ended.endFile()).toEqual([]);
    expect(ended.book).toEqual({ updateId: 12, isFresh: true });
  });
});

describe('DepthSynchronizer, of what is known before it,', () => {
  const next = diffOf({ firstUpdateId: 9, lastUpdateId: 10 });

  it('goes on with a book of the update before', () => {
    const start = { updateId: 8, isFresh: false };
    expect(kindsOf(new DepthSynchronizer({ start }).diff(next))).toEqual(['levels']);
    const later = { updateId: 9, isFresh: false };
    expect(kindsOf(new DepthSynchronizer({ start: later }).diff(next))).toEqual(['gap']);
  });

  it('lets the first diff overlap a book that came whole', () => {
    const depth = new DepthSynchronizer({ start: { updateId: 9, isFresh: true } });
    expect(depth.diff(diffOf({ firstUpdateId: 8, lastUpdateId: 9 }))).toEqual([]);
    expect(kindsOf(depth.diff(next))).toEqual(['levels']);
    expect(depth.book).toEqual({ updateId: 10, isFresh: false });
  });

  it('tells a gap at once where nobody knows the update of the book', () => {
    const reason = 'nothing tells which update the book before is of';
    const depth = new DepthSynchronizer({ start: 'untold' });
    expect(depth.book).toBeUndefined();
    expect(depth.diff(next)).toEqual([{ kind: 'gap', time: 1_000, reason }]);
    const whole = new DepthSynchronizer({ start: 'untold' });
    expect(kindsOf(whole.snapshot(snapshotOf()))).toEqual(['gap', 'book']);
  });

  it('tells a gap that was told no more', () => {
    const depth = new DepthSynchronizer({ start: 'missing' });
    expect([...depth.diff(next), ...depth.end()]).toEqual([]);
  });

  it('says so where updates go back', () => {
    const depth = new DepthSynchronizer({ start: { updateId: 20, isFresh: false } });
    const reason = 'depth updates go back from 20 to 9';
    expect(depth.diff(next)).toMatchObject([{ kind: 'gap', reason }]);
  });
});

describe('DepthSynchronizer on futures diffs', () => {
  const futures = (first: number, last: number, previous: number): DepthDiff =>
    diffOf({ firstUpdateId: first, lastUpdateId: last, previousUpdateId: previous });

  it('uses the diff that spans the snapshot, ids may skip from then on', () => {
    const depth = new DepthSynchronizer();
    depth.diff(futures(1, 5, 0));
    depth.diff(futures(8, 20, 5));
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId: 12 })))).toEqual(['book', 'levels']);
    expect(kindsOf(depth.diff(futures(30, 33, 20)))).toEqual(['levels']);
    expect(kindsOf(depth.diff(futures(40, 41, 35)))).toEqual(['gap']);
  });

  it('drops a diff that ends at the snapshot and uses the one that names it', () => {
    const depth = new DepthSynchronizer();
    depth.snapshot(snapshotOf({ lastUpdateId: 12 }));
    expect(depth.diff(futures(10, 12, 9))).toEqual([]);
    expect(kindsOf(depth.diff(futures(15, 16, 12)))).toEqual(['levels']);
  });

  it('uses the first diff that begins with the update of the snapshot, not behind it', () => {
    for (const [first, kind] of [
      [12, 'levels'],
      [13, 'gap'],
    ] as const) {
      const depth = new DepthSynchronizer();
      depth.snapshot(snapshotOf({ lastUpdateId: 12 }));
      expect(kindsOf(depth.diff(futures(first, 20, 9)))).toEqual([kind]);
    }
  });

  it('takes a snapshot that is ahead where the next diff names the one before, ids skipping', () => {
    const depth = new DepthSynchronizer();
    depth.snapshot(snapshotOf({ lastUpdateId: 12 }));
    depth.diff(futures(15, 16, 12));
    depth.snapshot(snapshotOf({ lastUpdateId: 25 }));
    expect(kindsOf(depth.diff(futures(20, 30, 16)))).toEqual(['book', 'levels']);
  });
});

describe('DepthSynchronizer', () => {
  it('finds a hole exactly where one was made, wherever the snapshot falls', () => {
    const widths = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 4, maxLength: 30 });
    fc.assert(
      fc.property(widths, fc.nat(), fc.nat(), (sizes, snapshotSeed, holeSeed) => {
        let next = 1;
        const diffs = sizes.map((size) => {
          const diff = diffOf({ firstUpdateId: next, lastUpdateId: next + size - 1 });
          next += size;
          return diff;
        });
        const at = snapshotSeed % diffs.length;
        const lastUpdateId = diffs[at]!.lastUpdateId;
        const hole = holeSeed % (diffs.length + 1);
        const depth = new DepthSynchronizer();
        const records = diffs.flatMap((diff, index) => {
          const found = index === hole ? [] : depth.diff(diff);
          return index === at ? [...found, ...depth.snapshot(snapshotOf({ lastUpdateId }))] : found;
        });
        // What comes after the snapshot is used up to the hole; a hole at the very end is not seen.
        const used = hole > at ? hole - at - 1 : diffs.length - at - 1;
        const seen = hole > at && hole < diffs.length - 1;
        expect(kindsOf(records)).toEqual([
          'book',
          ...Array(Math.min(used, diffs.length - at - 1)).fill('levels'),
          ...(seen ? ['gap'] : []),
        ]);
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});
