import { readFileSync } from 'node:fs';
import {
  type CheckReport,
  checkDataset,
  type Dataset,
  diskTrouble,
  type ExportOptions,
  exportDataset,
  type ImportOptions,
  type ImportResult,
  importFiles,
  listDatasets,
  type Mapping,
  mappingSchema,
  type OverlapRule,
  resample,
} from '../../history/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { readAs } from '../config/problems.ts';
import { parseYaml } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import { onDisk } from './disk.ts';
import { datasetNamed } from './named.ts';

/** What a person says of files to import. */
export interface ImportChoice extends Omit<ImportOptions, 'mapping'> {
  /** A YAML file that says which column holds what. */
  readonly mapping?: string | undefined;
}

/** Imports files into datasets. @throws {AppError} `recording` when one can't be: nothing changed. */
export function importData(choice: ImportChoice): Promise<ImportResult[]> {
  const { mapping: file, ...others } = choice;
  const mapping = file === undefined ? undefined : readMapping(file);
  return onDisk('import', () => importFiles({ ...others, mapping }));
}

/** Checks one dataset, or all of a folder. @throws {AppError} `recording` when one can't be read. */
export async function checkData(root: string, ids: readonly string[]): Promise<CheckReport[]> {
  const chosen = ids.map((id) => datasetNamed(root, id));
  const others = listDatasets(root);
  const reports: CheckReport[] = [];
  for (const dataset of ids.length === 0 ? others : chosen) {
    reports.push(await onDisk('check', () => checkDataset(dataset, { others })));
  }
  return reports;
}

/** What to build candles of, and how long. */
export interface ResampleChoice {
  readonly root: string;
  readonly id: string;
  readonly resolution: string;
  readonly source?: string | undefined;
  readonly overlap?: OverlapRule | undefined;
  readonly mix?: boolean | undefined;
}

/** Builds a dataset of candles from another. @throws {AppError} `recording` when it can't be. */
export function resampleData({ id, ...options }: ResampleChoice): Promise<Dataset> {
  return onDisk('resample', () => resample(datasetNamed(options.root, id), options));
}

/** What to export, and where to. */
export interface ExportChoice extends ExportOptions {
  readonly root: string;
  readonly id: string;
}

/** Writes a dataset to a file; answers with its rows. @throws {AppError} `recording` */
export function exportData({ root, id, ...options }: ExportChoice): Promise<number> {
  return onDisk('export', () => exportDataset(datasetNamed(root, id), options));
}

function readMapping(file: string): Mapping {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const trouble = diskTrouble(cause) ?? messageOf(cause);
    const what = `Cannot read mapping ${file}: ${trouble}`;
    throw new AppError('configuration', what, { cause });
  }
  return readAs(mappingSchema, parseYaml(file, text));
}
