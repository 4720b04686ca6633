import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEPTH_EVENTS, EXPORT_FORMATS, exportDataset } from '../../../../src/history/index.ts';
import { type DepthRow, depthRows, rowsOf, START, Store } from '../fixture.ts';

const ROWS: readonly DepthRow[] = [
  [0, 'snapshot', 'buy', 99, 5],
  [0, 'snapshot', 'buy', 99.9, 5],
  [0, 'snapshot', 'sell', 100, 1],
  [1, 'change', 'buy', 99.95, 2],
  [2, 'change', 'sell', 100, 0],
  [2, 'change', 'sell', 100.1, 3],
  [3, 'trade', 'buy', 100.1, 1],
  [4, 'change', 'sell', 100.1, 2],
  [5, 'gap', 'buy', 0, 0],
  [6, 'change', 'buy', 99, 1],
  [7, 'snapshot', 'buy', 98, 5],
  [8, 'change', 'buy', 98, 4],
];

/** When a second after the start is. */
const at = (seconds: number): number => START + seconds * 1_000;

describe('exportDataset, of depth from the middle on,', () => {
  it.each(EXPORT_FORMATS)('begins %s with the book as it stood then', async (format) => {
    const store = new Store();
    const rows = depthRows(ROWS);
    const dataset = await store.record(rows);
    const file = join(store.root, `btc_usdt.${format}`);
    const from = at(2.5);
    const told = await exportDataset(dataset, { file, from, to: at(8) });
    expect(told).toEqual({ rows: 9, openingRows: 4, warnings: [] });
    const { snapshot } = DEPTH_EVENTS;
    const opening = [
      [from, from + 5, -1, snapshot, 1, 99.95, 2],
      [from, from + 5, -1, snapshot, 1, 99.9, 5],
      [from, from + 5, -1, snapshot, 1, 99, 5],
      [from, from + 5, -1, snapshot, -1, 100.1, 3],
    ];
    const back = await store.import(file);
    const wanted = [...opening, ...rows.filter(([time]) => Number(time) >= from)].slice(0, -1);
    expect(await rowsOf(back)).toEqual(wanted);
  });

  it('adds nothing where it begins with the dataset', async () => {
    const store = new Store();
    const dataset = await store.record(depthRows(ROWS));
    const file = join(store.root, 'btc_usdt.csv');
    const told = await exportDataset(dataset, { file, from: dataset.firstTime });
    expect(told).toEqual({ rows: ROWS.length, openingRows: 0, warnings: [] });
  });

  it('stays in its order where most stamps fall', async () => {
    const store = new Store();
    const { snapshot, change } = DEPTH_EVENTS;
    const rows = [
      [at(1), at(1) + 1, 1, snapshot, 1, 100, 1],
      [at(0), at(1) + 2, 2, change, 1, 100, 0],
    ];
    const file = join(store.root, 'btc_usdt.csv');
    await exportDataset(await store.record(rows), { file });
    expect(await rowsOf(await store.import(file))).toEqual(rows);
  });

  it('stays in its order where it begins a day, whatever the clock of its recorder says', async () => {
    const store = new Store();
    const midnight = at(600);
    const { snapshot, change } = DEPTH_EVENTS;
    const rows = [
      [midnight - 9, midnight - 8, 1, snapshot, 1, 100, 1],
      // Later than the first of the next day, which came before midnight by the recorder's clock.
      [midnight - 5, midnight, 2, change, 1, 101, 1],
      [midnight + 1, midnight - 2, 3, change, 1, 102, 1],
      [midnight + 9, midnight + 14, 4, change, 1, 101, 0],
    ];
    const dataset = await store.record(rows);
    const file = join(store.root, 'btc_usdt.csv');
    await exportDataset(dataset, { file, from: midnight });
    const back = await store.import(file);
    expect((await rowsOf(back)).map((row) => row[2])).toEqual([-1, -1, 3, 4]);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(6);
  });
});

describe('exportDataset, of depth whose book is not known,', () => {
  it('says from when on the book is known where it begins in a gap, or that it never is', async () => {
    const store = new Store();
    const dataset = await store.record(depthRows(ROWS));
    const file = join(store.root, 'btc_usdt.csv');
    const part = await exportDataset(dataset, { file, from: at(5.5) });
    expect(part).toMatchObject({ rows: 3, openingRows: 0 });
    expect(part.warnings).toEqual([
      'the book of venue.btc_usdt.depth is unknown from 2024-01-31T23:50:06.000Z to ' +
        '2024-01-31T23:50:07.000Z: its first whole book comes then, after 1 change; a backtest ' +
        'has no book before, and fills no order',
    ]);
    const days = await new Store().record([
      ...depthRows(ROWS.slice(0, 2)),
      ...depthRows([[0, 'gap', 'buy', 0, 0], ...ROWS.slice(-3)], at(86_400)),
    ]);
    const late = await exportDataset(days, { file, from: at(86_401), force: true });
    expect(late.warnings[0]).toMatch(/is unknown from 2024-02-01T23:50:0.* to 2024-02-01T/);
    const never = await exportDataset(dataset, { file, from: at(5.5), to: at(7), force: true });
    expect(never.warnings).toEqual([
      'the book of venue.btc_usdt.depth is never known: its rows hold no whole book, ' +
        'but 1 change; a backtest has no book then, and fills no order',
    ]);
  });
});
