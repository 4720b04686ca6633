import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../kernel/index.ts';
import { diskTrouble } from '../disk-trouble.ts';
import { HistoryError } from '../errors.ts';
import type { AmountUnit } from '../formats/amount-unit.ts';
import type { DatasetKind } from './kinds.ts';
import { type Manifest, manifestFile, type Part, readManifest } from './manifest.ts';
import { parquet } from './sql.ts';

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

/** The names of all datasets below a folder, of broken ones too. @throws {HistoryError} */
export function datasetNames(root: string): string[] {
  if (!existsSync(root)) return [];
  try {
    return readdirSync(root)
      .filter((name) => !name.startsWith('.') && isDataset(root, name))
      .sort();
  } catch (thrown) {
    const what = diskTrouble(thrown) ?? messageOf(thrown);
    throw new HistoryError(`Cannot read the folder of datasets: ${what}`, { cause: thrown });
  }
}

/**
 * Whether a folder is a dataset. If it is closed to us, its name decides, and reading it tells why.
 */
function isDataset(root: string, name: string): boolean {
  try {
    return statSync(manifestFile(join(root, name)), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return name.split('.').length > 2;
  }
}

/** The dataset of that name; undefined where there is none. */
export function openDataset(root: string, id: string): Dataset | undefined {
  const folder = join(root, id);
  const manifest = readManifest(folder);
  return manifest === undefined ? undefined : { ...manifest, folder };
}

/** The dataset of that name. @throws {HistoryError} when there is none. */
export function requireDataset(root: string, id: string): Dataset {
  const dataset = openDataset(root, id);
  if (dataset !== undefined) return dataset;
  throw new HistoryError(`Cannot use dataset "${id}": the folder ${root} has none of that name`);
}

/** The units of a dataset's amounts that are not in the base currency. */
export function amountUnitsOf({ sources }: Pick<Dataset, 'sources'>): AmountUnit[] {
  return [...new Set(sources.flatMap(({ amountUnit }) => amountUnit ?? []))];
}

/** The files of a dataset, in the order of their time. */
export function partFiles({ folder, parts }: Dataset): string[] {
  return parts.map(({ file }) => join(folder, file));
}

/** SQL for the rows of a dataset, or of some of its files, in their order. */
export function rowsOf(dataset: Dataset, parts: readonly Part[] = dataset.parts): string {
  return parquet(partFiles({ ...dataset, parts: [...parts] }));
}
