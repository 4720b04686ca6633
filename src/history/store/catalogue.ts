import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryError } from '../errors.ts';
import type { DatasetKind } from './kinds.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** What tells one dataset from another. */
export interface DatasetKey {
  readonly source: string;
  /** Such as `btc_usdt`. */
  readonly market: string;
  readonly kind: DatasetKind;
  /** Such as `1min`; candles only. */
  readonly resolution?: string | undefined;
}

/** A dataset: what it is, and the folder of its files. */
export interface Dataset extends Manifest {
  readonly folder: string;
}

/** The name of a dataset and of its folder: `binance.btc_usdt.1min`, `binance.btc_usdt.trades`. */
export function datasetId({ source, market, kind, resolution }: DatasetKey): string {
  return [source, market, kind === 'candles' ? resolution : kind].join('.');
}

/** Every dataset below a folder, by name. */
export function listDatasets(root: string): Dataset[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()
    .flatMap((name) => openDataset(root, name) ?? []);
}

/** The dataset of that name; undefined where there is none. */
export function openDataset(root: string, id: string): Dataset | undefined {
  const folder = join(root, id);
  const manifest = readManifest(folder);
  return manifest === undefined ? undefined : { ...manifest, folder };
}

/** The dataset of that name. @throws {HistoryError} naming those there are, when it is none. */
export function requireDataset(root: string, id: string): Dataset {
  const dataset = openDataset(root, id);
  if (dataset !== undefined) return dataset;
  const names = listDatasets(root).map((known) => known.id);
  const wanted = names.length === 0 ? 'import one first' : `one of ${names.join(', ')} is wanted`;
  throw new HistoryError(`Cannot use dataset "${id}": ${root} has none of that name, ${wanted}`);
}

/** The files of a dataset, in the order of their time. */
export function partFiles({ folder, parts }: Dataset): string[] {
  return parts.map(({ file }) => join(folder, file));
}
