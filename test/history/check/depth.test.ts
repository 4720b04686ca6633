import { describe, expect, it } from 'vitest';
import { DEPTH_EVENTS, isFault } from '../../../src/history/index.ts';
import { type DepthRow, depthRows, START, Store } from '../store/fixture.ts';

describe('depthFindings', () => {
  it('holds nothing against a book that is not known, and tells how much was left out', async () => {
    const store = new Store();
    const { snapshot, change, gap } = DEPTH_EVENTS;
    const book = (update: number, event: number, best: readonly [number, number]) =>
      [1, -1].map((side, at) => [START + update, START, update, event, side, best[at]!, 1]);
    const rows = [
      ...book(1, snapshot, [100, 101]),
      [START + 2, START, 2, gap, 1, 0, 0],
      ...book(3, change, [102, 101]),
      ...book(4, snapshot, [100, 101]),
      ...book(5, change, [103, 101]),
    ];
    const told = { from: START + 2, to: START + 4, reason: 'the line was lost', leftOut: 7 };
    const { id } = await store.record(rows, { gaps: [told] });
    const detail =
      `until ${new Date(START + 4).toISOString()}, when a snapshot came: ` +
      'the line was lost, 7 changes are left out';
    expect((await store.check(id)).findings).toEqual([
      { fault: 'gap', count: 1, places: [{ time: START + 2, detail }] },
      { fault: 'crossed', count: 1, places: [{ time: START + 5, detail: 'bid 103, ask 101' }] },
    ]);
  });
});

describe('depthFindings, of gaps,', () => {
  const found = async (rows: readonly DepthRow[]) => {
    const store = new Store();
    const { findings } = await store.check((await store.record(depthRows(rows))).id);
    return findings.map(({ fault, places }) => [fault, ...places.map(({ detail }) => detail)]);
  };

  it('tells of each when the snapshot came, and where none did', async () => {
    const rows: readonly DepthRow[] = [
      [0, 'snapshot', 'buy', 100, 1],
      [1, 'gap', 'buy', 0, 0],
      [2, 'gap', 'buy', 0, 0],
      [3, 'trade', 'buy', 101, 1],
      [4, 'snapshot', 'buy', 100, 1],
      [4, 'snapshot', 'sell', 101, 1],
      [5, 'gap', 'buy', 0, 0],
    ];
    const until = 'until 2024-01-31T23:50:04.000Z, when a snapshot came';
    expect(await found(rows)).toEqual([['gap', until, until, 'to the end, for no snapshot came']]);
  });

  it('says of none that it ended before it began, whatever the stamps', async () => {
    const rows: readonly DepthRow[] = [
      [0, 'snapshot', 'buy', 100, 1],
      [3, 'gap', 'buy', 0, 0],
      [2, 'snapshot', 'buy', 100, 1],
    ];
    expect(await found(rows)).toEqual([
      ['gap', 'until 2024-01-31T23:50:03.000Z, when a snapshot came'],
    ]);
  });
});

describe('depthFindings, of a book that is crossed for a while,', () => {
  it('tells of the updates that left it so, by the levels that were there then', async () => {
    const store = new Store();
    const { id } = await store.record(
      depthRows([
        [0, 'snapshot', 'buy', 100, 1],
        [0, 'snapshot', 'sell', 101, 1],
        [1, 'change', 'buy', 102, 1],
        [2, 'change', 'buy', 102, 0],
        [3, 'snapshot', 'buy', 200, 1],
        [3, 'snapshot', 'sell', 201, 1],
      ]),
    );
    const places = [{ time: START + 1_000, detail: 'bid 102, ask 101' }];
    const { findings } = await store.check(id);
    expect(findings).toEqual([{ fault: 'crossed', count: 1, places }]);
  });
});

describe('depthFindings, of a recording without a whole book at its start,', () => {
  const CHANGES: readonly DepthRow[] = [
    [0, 'trade', 'buy', 101, 1],
    [1, 'change', 'buy', 103, 1],
    [2, 'change', 'sell', 102, 1],
  ];
  const BOOK: readonly DepthRow[] = [
    [4, 'snapshot', 'buy', 100, 1],
    [4, 'snapshot', 'sell', 101, 1],
    [5, 'change', 'sell', 101, 2],
  ];
  const checked = async (rows: readonly DepthRow[]) => {
    const store = new Store();
    const { id } = await store.record(depthRows(rows));
    const { findings, coverage } = await store.check(id);
    return { findings, coverage };
  };

  it('tells from when on the book is known, and counts that time alone as covered', async () => {
    const detail =
      'until 2024-01-31T23:50:04.000Z: 2 changes of a book that nobody knows; ' +
      'no order fills in a backtest';
    expect(await checked([...CHANGES, ...BOOK])).toEqual({
      findings: [{ fault: 'unknown book', count: 2, places: [{ time: START, detail }] }],
      coverage: 0.2,
    });
  });

  it('goes by the first whole book, whatever whole ones come after it', async () => {
    const again = [...CHANGES, ...BOOK, [6, 'snapshot', 'buy', 100, 1] as const];
    const { findings, coverage } = await checked(again);
    expect(findings[0]?.places[0]?.detail).toContain('until 2024-01-31T23:50:04.000Z');
    expect(coverage).toBeCloseTo(2 / 6, 9);
  });

  it('tells that it is never known', async () => {
    const detail =
      'to the end, for there is no whole book: 2 changes of a book that nobody knows; ' +
      'no order fills in a backtest';
    expect(await checked(CHANGES)).toEqual({
      findings: [{ fault: 'unknown book', count: 2, places: [{ time: START, detail }] }],
      coverage: 0,
    });
  });

  it('tells until when trades alone come, and holds nothing against them', async () => {
    const found = await checked([CHANGES[0]!, ...BOOK, [6, 'gap', 'buy', 0, 0], CHANGES[0]!]);
    expect(found.coverage).toBeCloseTo(2 / 6, 9);
    expect(found.findings.map(({ fault }) => fault)).toEqual(['late book', 'gap']);
    const detail = 'until 2024-01-31T23:50:04.000Z; no order fills in a backtest';
    expect(found.findings[0]?.places).toEqual([{ time: START, detail }]);
    expect(found.findings.map(isFault)).toEqual([false, true]);
    expect(await checked(BOOK)).toEqual({ findings: [], coverage: 1 });
  });

  it('tells of trades alone until a gap, whatever comes behind it', async () => {
    const until = 'until 2024-01-31T23:50:01.000Z; no order fills in a backtest';
    const gap: DepthRow = [1, 'gap', 'buy', 0, 0];
    for (const behind of [[], BOOK, [CHANGES[0]!, gap]]) {
      const { findings } = await checked([CHANGES[0]!, gap, ...behind]);
      expect(findings.map(({ fault }) => fault)).toEqual(['late book', 'gap']);
      expect(findings[0]?.places).toEqual([{ time: START, detail: until }]);
    }
    const { findings } = await checked([[0, 'gap', 'buy', 0, 0], ...BOOK]);
    expect(findings.map(({ fault }) => fault)).toEqual(['gap']);
  });
});

describe('depthFindings, of trades that cannot be,', () => {
  it('tells of prices of zero or less and of amounts that are none', async () => {
    const store = new Store();
    const { id } = await store.record(
      depthRows([
        [0, 'snapshot', 'buy', 100, 1],
        [1, 'trade', 'buy', 0, 1],
        [2, 'trade', 'buy', 101, -1],
        [3, 'trade', 'buy', 101, 0],
        [4, 'change', 'buy', 100, 0],
      ]),
    );
    const { findings } = await store.check(id);
    expect(findings.map(({ fault, places }) => [fault, ...places.map((p) => p.detail)])).toEqual([
      ['zero price', 'price 0'],
      ['outside', 'amount -1', 'amount 0'],
    ]);
  });
});
