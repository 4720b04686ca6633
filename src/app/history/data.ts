import { INTERVAL_MS, INTERVALS } from '../../domain/index.ts';
import {
  amountUnitNote,
  type CheckOptions,
  type CheckReport,
  checkDataset,
  type Dataset,
  datasetNames,
  type Exported,
  type ExportOptions,
  exportDataset,
  type ImportOptions,
  type ImportResult,
  importFiles,
  MissingColumnError,
  mappingSchema,
  type ResampleOptions,
  resample,
} from '../../history/index.ts';
import { counted } from '../../kernel/index.ts';
import { readAs } from '../config/problems.ts';
import { didYouMean } from '../config/suggest.ts';
import { type LocatedYaml, readYamlFile } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import { requireWritable } from './data-folder.ts';
import { onDisk } from './disk.ts';
import { datasetNamed, openDatasets } from './named.ts';

/** What a person says of files to import. */
export interface ImportChoice extends Omit<ImportOptions, 'mapping'> {
  /** A YAML file that says which column holds what. */
  readonly mapping?: string | undefined;
}

/**
 * Imports files into datasets.
 *
 * @throws {AppError} when one can't be and nothing changed: `configuration` where the mapping is
 * wrong, with its place, else `recording`.
 */
export async function importData(choice: ImportChoice): Promise<ImportResult[]> {
  const { mapping: file, ...others } = choice;
  requireWritable(choice.root, 'import');
  const what = `import into ${choice.root}`;
  if (file === undefined) return onDisk(what, () => importFiles(others));
  const yaml = readYamlFile(file, { wanted: 'a mapping' });
  const mapping = readAs(mappingSchema, yaml);
  try {
    return await onDisk(what, () => importFiles({ ...others, mapping }));
  } catch (thrown) {
    throw thrown instanceof MissingColumnError ? withPlace(thrown, yaml) : thrown;
  }
}

/** The error with the place in the mapping. */
function withPlace(error: MissingColumnError, yaml: LocatedYaml): AppError {
  const { path, column } = error;
  const is = `${yaml.locate(path)}: Cannot use "${path.join('.')}": it is ${JSON.stringify(column)}`;
  return new AppError('configuration', `${is}, ${wantedOf(error)}`, { cause: error });
}

function wantedOf({ column, table: { name, headings, rows } }: MissingColumnError): string {
  const numbers = `a number from 1 to ${headings?.length ?? rows[0]?.length} is wanted`;
  if (headings === undefined) return `${numbers}: the columns of ${name} have no headings`;
  if (typeof column === 'number') return `${numbers}: so many columns has ${name}`;
  const hint = didYouMean(column, headings);
  return hint === ''
    ? `one of ${name}'s columns ${headings.join(', ')} is wanted`
    : `a column of ${name} is wanted${hint}`;
}

/** Checks datasets, or all of a folder. @throws {AppError} `recording` if one can't be read. */
export async function checkData(
  root: string,
  ids: readonly string[],
  { signal }: Pick<CheckOptions, 'signal'> = {},
): Promise<CheckReport[]> {
  const { datasets: others } = openDatasets(root);
  const names = ids.length === 0 ? datasetNames(root) : ids;
  const chosen = names.map((id) => datasetNamed(root, id));
  const options = { others, beside: chosen.map(({ id }) => id), signal };
  const reports: CheckReport[] = [];
  for (const dataset of chosen) {
    reports.push(await onDisk(`check ${dataset.id}`, () => checkDataset(dataset, options)));
  }
  return reports;
}

/** What to build candles from, and their length. */
export interface ResampleChoice extends ResampleOptions {
  readonly id: string;
}

/** A dataset of candles that was built. */
export interface Resampled {
  readonly dataset: Dataset;
  /** Warnings for whoever asked for it, in whole sentences. */
  readonly warnings: readonly string[];
}

/** Builds a dataset of candles from another. @throws {AppError} `recording` when it can't be. */
export async function resampleData({ id, ...options }: ResampleChoice): Promise<Resampled> {
  const dataset = datasetNamed(options.root, id);
  requireWritable(options.root, 'resample');
  const built = await onDisk(`resample ${id} in ${options.root}`, () => resample(dataset, options));
  const counts = dataset.kind === 'quotes' ? [amountUnitNote(built.id, 'quotes')] : [];
  return {
    dataset: built,
    warnings: [
      ...leftOut(dataset, built),
      ...lacking(dataset, built),
      ...counts,
      ...unplayable(built),
    ],
  };
}

/** Warns of rows that were left out because their price or amount is impossible. */
function leftOut({ id, kind }: Dataset, { sources }: Dataset): string[] {
  const dropped = sources.at(-1)?.dropped ?? 0;
  if (dropped === 0) return [];
  const what =
    kind === 'candles'
      ? `${counted(dropped, 'candle')} of ${id} with a price of 0 or below`
      : `${counted(dropped, 'trade')} of ${id} with a price of 0 or below, or with an amount below 0,`;
  return [`${what} ${dropped === 1 ? 'was' : 'were'} left out`];
}

/** Warns of rows that the source is known to lack: candles built from it do not show that. */
function lacking({ id, kind, gaps, lastTime }: Dataset, built: Dataset): string[] {
  const inner = gaps.filter(({ from }) => from < lastTime);
  const [first] = inner;
  if (first === undefined) return [];
  const [from, to] = [first.from, first.to].map((time) => new Date(time).toISOString());
  return [
    `candles of ${built.id} may lack what was ${kind === 'quotes' ? 'quoted' : 'traded'}: ${id} has ` +
      `${counted(inner.length, 'recorded gap')}, the first from ${from} to ${to} (${first.reason})`,
  ];
}

/** Warns if no backtest can replay candles of that length. */
function unplayable({ id, resolution, stepMs }: Dataset): string[] {
  if (INTERVALS.some((interval) => INTERVAL_MS[interval] === stepMs)) return [];
  return [
    `no backtest can replay ${id}: its candles of ${resolution} are none of ${INTERVALS.join(', ')}`,
  ];
}

export interface ExportChoice extends ExportOptions {
  readonly root: string;
  readonly id: string;
}

/** Writes a dataset to a file. @throws {AppError} `recording` */
export function exportData({ root, id, ...options }: ExportChoice): Promise<Exported> {
  return onDisk(`export ${id} to ${options.file}`, () =>
    exportDataset(datasetNamed(root, id), options),
  );
}
