import { dirname } from 'node:path';
import { counted } from '../../kernel/index.ts';
import { type Dataset, rowsOf } from '../store/catalogue.ts';
import { type Database, withDatabase } from '../store/database.ts';
import { type Interruptible, interruptionOr } from '../store/interruption.ts';
import { isResampled } from '../store/resample.ts';
import { makeWorkFolder, type WorkFolder } from '../store/work-folder.ts';
import { candleFindings } from './candles.ts';
import { depthFindings } from './depth.ts';
import { halfFormed } from './half-formed.ts';
import { quoteFindings } from './quotes.ts';
import { type Finding, finding } from './report.ts';
import { tradeFindings } from './trades.ts';

/** What a check of a dataset found. */
export interface CheckReport {
  readonly dataset: Dataset;
  /**
   * Share of the time from the first row to the last, 0 to 1: for candles that which has some, for
   * depth that in which the book is known; undefined for other kinds.
   */
  readonly coverage: number | undefined;
  /** The datasets of other resolutions that it was compared with. */
  readonly comparedWith: readonly string[];
  readonly findings: readonly Finding[];
}

export interface CheckOptions extends Interruptible {
  readonly others: readonly Dataset[];
  readonly beside?: readonly string[] | undefined;
}

/**
 * Looks for faults in a dataset: gaps, duplicates, disorder, zero and crossed prices, and candles
 * that differ from those of another resolution among `others`.
 *
 * `beside`: the ids of those that are checked as well, and report their own half-formed candles.
 * Default: all others.
 */
export async function checkDataset(dataset: Dataset, options: CheckOptions): Promise<CheckReport> {
  const { signal } = options;
  const spill = spillBeside(dataset);
  try {
    return await withDatabase((database) => reportOf(database, { dataset, ...options }), {
      spillFolder: spill?.folder,
      signal,
    });
  } catch (thrown) {
    throw interruptionOr(thrown, { signal, left: `${dataset.id} was not checked` });
  } finally {
    spill?.remove();
  }
}

/** A folder for what does not fit into memory; undefined where datasets may only be read. */
function spillBeside({ folder }: Dataset): WorkFolder | undefined {
  try {
    return makeWorkFolder(dirname(folder));
  } catch {
    return undefined;
  }
}

interface Check extends CheckOptions {
  readonly dataset: Dataset;
}

async function reportOf(
  database: Database,
  { dataset, others, beside = others.map(({ id }) => id), signal }: Check,
): Promise<CheckReport> {
  await database.run(`CREATE VIEW rows AS
    SELECT *, row_number() OVER () AS row FROM ${rowsOf(dataset)}`);
  const { findings, coverage } = await findingsOf(database, { dataset, signal });
  const comparable = comparedOf(dataset, others);
  const compared: Finding[] = [];
  for (const other of comparable) {
    const isOtherChecked = beside.includes(other.id);
    compared.push(...(await halfFormed(database, { dataset, other, isOtherChecked })));
  }
  const ofDataset = [...gapsOf(dataset), ...disorderOf(dataset), ...unitsOf(dataset)];
  return {
    dataset,
    coverage,
    comparedWith: comparable.map(({ id }) => id),
    findings: [...findings, ...ofDataset, ...compared],
  };
}

interface Found {
  readonly findings: readonly Finding[];
  readonly coverage?: number;
}

async function findingsOf(
  database: Database,
  { dataset, signal }: Pick<Check, 'dataset' | 'signal'>,
): Promise<Found> {
  switch (dataset.kind) {
    case 'candles':
      return candleFindings(database, dataset.stepMs ?? 0);
    case 'trades':
      return { findings: await tradeFindings(database) };
    case 'quotes':
      return { findings: await quoteFindings(database) };
    case 'depth':
      return depthFindings(dataset, { signal });
    default:
      return dataset.kind satisfies never;
  }
}

/**
 * The datasets that one is compared with. Resampled candles and what they were made of have the
 * same faults, so they are left out.
 */
function comparedOf(dataset: Dataset, others: readonly Dataset[]): Dataset[] {
  const comparable = others.filter((other) => isComparable(dataset, other));
  const known = [dataset, ...comparable];
  return comparable.filter(
    (other) => !isResampled(dataset, other) && !known.some((one) => isResampled(other, one)),
  );
}

/** Candles of the same market and source, one length a multiple of the other. */
function isComparable(dataset: Dataset, other: Dataset): boolean {
  const { stepMs: mine, market, source } = dataset;
  const { stepMs: its } = other;
  if (mine === undefined || its === undefined || mine === its) return false;
  if (market !== other.market || source !== other.source) return false;
  return Math.max(mine, its) % Math.min(mine, its) === 0;
}

/** Gaps that were noticed when rows were written. Depth and candles show theirs in their rows. */
function gapsOf({ kind, gaps }: Dataset): Finding[] {
  if (kind === 'depth' || kind === 'candles') return [];
  const places = gaps.map(({ from, to, reason }) => ({
    time: from,
    detail: `until ${new Date(to).toISOString()}: ${reason}`,
  }));
  return finding('gap', gaps.length, places);
}

/** Rows that were out of order in their files. The import put them in order, except in depth. */
function disorderOf({ sources, kind }: Dataset): Finding[] {
  if (kind === 'depth') return [];
  const places = sources
    .filter(({ outOfOrder }) => outOfOrder > 0)
    .map(({ name, firstTime, outOfOrder }) => ({
      time: firstTime,
      detail: `${counted(outOfOrder, 'row')} of ${name}`,
    }));
  const count = sources.reduce((sum, { outOfOrder }) => sum + outOfOrder, 0);
  return finding('disorder', count, places);
}

/** Files whose amounts were kept although they do not count the base currency. */
function unitsOf({ sources }: Dataset): Finding[] {
  const found = sources.filter(({ amountUnit }) => amountUnit !== undefined);
  const places = found.map(({ name, firstTime, amountUnit }) => ({
    time: firstTime,
    detail: `${name} counts ${amountUnit}`,
  }));
  const count = found.reduce((sum, { rows }) => sum + rows, 0);
  return finding('other unit', count, places);
}
