import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  checkDataset,
  type Dataset,
  type DatasetKind,
  type DatasetOf,
  type DatasetRow,
  DatasetWriter,
  DEPTH_EVENTS,
  datasetNames,
  type Gap,
  type ImportOptions,
  importFiles,
  openScan,
  requireDataset,
} from '../../../src/history/index.ts';
import type { ScanOptions } from '../../../src/history/store/read/scan.ts';
import { scratchFolder } from '../../scratch-folder.ts';

export const MINUTE_MS = 60_000;
export const START = Date.parse('2024-01-31T23:50Z');

/** A folder of datasets, removed after the test. */
export class Store {
  readonly root = scratchFolder();

  /** Writes a file beside the datasets; returns its path. */
  file(name: string, content: string | Uint8Array): string {
    const path = join(this.root, '.files', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  async import(
    files: string | readonly string[],
    options: Partial<ImportOptions> = {},
  ): Promise<Dataset> {
    const results = await importFiles({ root: this.root, files: [files].flat(), ...options });
    return results[0]!.dataset;
  }

  /** Imports files; returns the warnings. */
  async told(files: string | readonly string[], options: Partial<ImportOptions> = {}) {
    const results = await importFiles({ root: this.root, files: [files].flat(), ...options });
    return results.flatMap(({ warnings }) => warnings);
  }

  /** Records rows of btc_usdt, candles of minutes; and gaps. Default: depth, without a gap. */
  async record<K extends DatasetKind = 'depth'>(
    rows: readonly DatasetRow[],
    { kind: of, gaps }: { readonly kind?: K; readonly gaps?: readonly Gap[] } = {},
  ): Promise<DatasetOf<K>> {
    const kind: DatasetKind = of ?? 'depth';
    const length = kind === 'candles' ? { resolution: '1min', stepMs: MINUTE_MS } : undefined;
    const key = { source: 'venue', market: 'btc_usdt', kind, resolution: length?.resolution };
    const work = { stepMs: length?.stepMs, name: 'venue', format: 'record' } as const;
    const writer = new DatasetWriter({ root: this.root, key, ...work });
    await writer.add({ rows, gaps });
    writer.close();
    return writer.dataset as DatasetOf<K>;
  }

  dataset(id: string): Dataset {
    return requireDataset(this.root, id);
  }

  ids(): string[] {
    return datasetNames(this.root).map((name) => this.dataset(name).id);
  }

  check(id: string, beside?: readonly string[]) {
    const others = this.ids().map((name) => this.dataset(name));
    return checkDataset(this.dataset(id), { others, beside });
  }
}

/** The dataset that is imported from a file, in a folder of its own. */
export function datasetOf(
  name: string,
  content: string | Uint8Array,
  options: Partial<ImportOptions> = {},
): Promise<Dataset> {
  const store = new Store();
  return store.import(store.file(name, content), options);
}

/** The warnings when a file is imported into a folder of its own. */
export function toldOf(
  name: string,
  content: string | Uint8Array,
  options: Partial<ImportOptions> = {},
): Promise<string[]> {
  const store = new Store();
  return store.told(store.file(name, content), options);
}

/** The rows of a dataset, an array each, without ids. */
export async function rowsOf(dataset: Dataset, options: ScanOptions = {}): Promise<number[][]> {
  const rows: number[][] = [];
  for await (const chunk of openScan(dataset as DatasetOf<DatasetKind>, options)) {
    const columns: Float64Array[] = Object.values(chunk);
    for (let row = 0; row < columns[0]!.length; row++) rows.push(columns.map((all) => all[row]!));
  }
  return rows;
}

/** The times of the rows of a dataset. */
export async function timesOf(dataset: Dataset): Promise<number[]> {
  return (await rowsOf(dataset)).map(([time]) => time!);
}

export type CandleRow = [number, number, number, number, number, number];

/** Minutes that rise by one each; the number is the minute after `START`. */
export function candle(minute: number, price = 100 + minute): CandleRow {
  return [START + minute * MINUTE_MS, price, price + 1, price - 1, price + 0.5, 10];
}

export function candles(from: number, to: number): CandleRow[] {
  return Array.from({ length: to - from }, (_, at) => candle(from + at));
}

export const json = (rows: readonly unknown[]): string => JSON.stringify(rows);
export const csv = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.join(',')}\n`).join('');

export type DepthRow = readonly [
  seconds: number,
  event: keyof typeof DEPTH_EVENTS,
  side: 'buy' | 'sell',
  price: number,
  amount: number,
];

/** Rows of depth, seconds after a start: those of one second and event are one update. */
export function depthRows(rows: readonly DepthRow[], startMs = START): DatasetRow[] {
  let update = 0;
  let before = '';
  return rows.map(([seconds, event, side, price, amount]) => {
    const now = `${seconds} ${event}`;
    if (now !== before) update++;
    before = now;
    const time = startMs + seconds * 1_000;
    return [time, time + 5, update, DEPTH_EVENTS[event], side === 'buy' ? 1 : -1, price, amount];
  });
}

/** Candles a minute as a text, then some on another step. */
export function mixed(minutes: number, others: number, stepMinutes: number): string {
  const at = (minute: number) => [Date.UTC(2024, 0, 1) + minute * 60_000, 1, 3, 0.5, 2, 9];
  const rows = Array.from({ length: minutes }, (_, minute) => at(minute));
  const rest = Array.from({ length: others }, (_, one) =>
    at(minutes - 1 + (one + 1) * stepMinutes),
  );
  return csv([...rows, ...rest]);
}
