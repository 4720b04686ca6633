import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUFFERED_DIFFS_MAX } from '../../src/history/depth-synchronizer.ts';
import { type DepthDiff, type DepthRecord, DepthSynchronizer } from '../../src/history/index.ts';
import { diffOf, snapshotOf } from './fixture.ts';

const kindsOf = (records: readonly DepthRecord[]): string[] => records.map(({ kind }) => kind);

describe('DepthSynchronizer on spot diffs', () => {
  it('drops what the snapshot holds, uses the diff that spans it and all that follow', () => {
    const depth = new DepthSynchronizer();
    expect(depth.diff(diffOf({ firstUpdateId: 1, lastUpdateId: 5 }))).toEqual([]);
    expect(depth.diff(diffOf({ firstUpdateId: 6, lastUpdateId: 9 }))).toEqual([]);
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId: 7 })))).toEqual(['book', 'levels']);
    expect(kindsOf(depth.diff(diffOf({ firstUpdateId: 10, lastUpdateId: 10 })))).toEqual([
      'levels',
    ]);
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
    expect(depth.synchronized).toBe(false);
    expect(depth.diff(diffOf({ firstUpdateId: 13, lastUpdateId: 14 }))).toEqual([]);
    const records = depth.snapshot(snapshotOf({ lastUpdateId: 11 }));
    expect(kindsOf(records)).toEqual(['book', 'levels', 'levels']);
    expect(depth.end()).toEqual([]);
  });

  it('tells a gap when the snapshot is older than the first diff', () => {
    const depth = new DepthSynchronizer();
    depth.diff(diffOf({ firstUpdateId: 10, lastUpdateId: 12 }));
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId: 7 })))).toEqual(['book', 'gap']);
    expect(depth.synchronized).toBe(false);
  });

  it('says nothing of a snapshot that is older than the book', () => {
    const depth = new DepthSynchronizer();
    depth.snapshot(snapshotOf({ lastUpdateId: 7 }));
    expect(depth.snapshot(snapshotOf({ lastUpdateId: 7 }))).toEqual([]);
    expect(kindsOf(depth.snapshot(snapshotOf({ lastUpdateId: 9 })))).toEqual(['book']);
  });

  it('keeps a bounded number of diffs while it waits, and tells at the end', () => {
    const depth = new DepthSynchronizer();
    for (let id = 1; id <= BUFFERED_DIFFS_MAX + 5; id++) {
      depth.diff(diffOf({ firstUpdateId: id, lastUpdateId: id }));
    }
    expect(depth.waiting).toBe(BUFFERED_DIFFS_MAX);
    expect(kindsOf(depth.end())).toEqual(['gap']);
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

  it('uses a diff that ends at the snapshot', () => {
    const depth = new DepthSynchronizer();
    depth.snapshot(snapshotOf({ lastUpdateId: 12 }));
    expect(kindsOf(depth.diff(futures(10, 12, 9)))).toEqual(['levels']);
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
