import { basename } from 'node:path';
import { type BookAt, NO_SNAPSHOT, UNTOLD_UPDATE } from '../../depth-synchronizer.ts';
import { HistoryError } from '../../errors.ts';
import { type Dataset, datasetId, openDataset } from '../catalogue.ts';
import { type Moment, nextBookTime } from '../commit/depth-ends.ts';
import type { LoggedGap } from '../commit/gap-log.ts';
import {
  comesBehind,
  endOf,
  type FirstStamps,
  goOn,
  joinOf,
  type RawJoin,
  repeatsStaged,
} from '../commit/raw-join.ts';
import type { Database } from '../database.ts';
import { type Remark, remarkTexts } from '../remark.ts';
import { type ImportResult, importStaged, type StagedGroup } from './import-staged.ts';
import {
  firstStampsOf,
  NOT_FOLLOWED,
  type RowsBehind,
  type StagedEnd,
  stageRaw,
} from './stage-raw.ts';

/** Gaps that are told one by one. */
const TOLD_MAX = 5;

/**
 * Imports raw recordings of one market into a dataset that is locked. Their book continues that of
 * the dataset where updates show that they follow it.
 */
export async function importRaw(database: Database, staged: StagedGroup): Promise<ImportResult> {
  const { root, overlap = 'refuse', signal } = staged.options;
  const group = staged.group.toSorted((a, b) => a.beganTime! - b.beganTime!);
  const files = group.map(({ path }) => path);
  const dataset = openDataset(root, datasetId(staged.key));
  const firsts: FirstStamps[] = [];
  for (const path of files) firsts.push(await firstStampsOf(path, { signal }));
  const join = await joinOf(database, { dataset, first: firsts[0]!, overlap });
  let lastReceived: number | undefined;
  const behind = async ({ table, last, book }: StagedEnd) => {
    const end = await endOf(database, { dataset, join, table, last });
    lastReceived = end.received;
    return rowsBehind(database, { dataset, join, last: end, book });
  };
  const staging = await stageRaw(database, { files, join, behind, signal });
  const { gaps, books, counts, ends } = staging;
  const empty = files[counts.indexOf(0)];
  if (empty !== undefined) throw nothingKept(empty, { gaps, join });
  const end = ends.at(-1)!;
  const isApart = join.isBehind || (!staging.repeatsNext && comesBehind(join.next, end));
  const joint = { ...join, isApart, gaps, lastReceived };
  const areBehind: boolean[] = [];
  for (const [file, first] of firsts.entries()) {
    const mayBe = overlap !== 'refuse' || comesBehind(first, ends[file - 1]);
    areBehind.push(mayBe && !(await repeatsStaged(database, { file, first })));
  }
  const result = await importStaged(database, { ...staged, group, joint, books, areBehind });
  const { called = result.dataset.id } = staged.options;
  const unknown = remarkTexts(remarksOn(called, gaps), staged.options);
  return { ...result, warnings: [...result.warnings, ...unknown] };
}

interface Behind {
  readonly dataset: Dataset | undefined;
  readonly join: RawJoin;
  readonly last: Moment;
  readonly book: BookAt | undefined;
}

async function rowsBehind(
  database: Database,
  { dataset, join, last, book }: Behind,
): Promise<RowsBehind | undefined> {
  if (dataset === undefined) return undefined;
  const { isAhead, cut } = join;
  const isInside = Number.isFinite(cut.time) && dataset.lastTime > last.time;
  if (!isAhead && !isInside) return undefined;
  const after = isAhead ? { time: Number.NEGATIVE_INFINITY } : last;
  const bookTime = (await nextBookTime(database, { dataset, after })) ?? dataset.lastTime;
  return { bookTime, goOn: isInside && (await goOn(database, { dataset, after, book })) };
}

interface Emptiness {
  readonly gaps: readonly LoggedGap[];
  readonly join: RawJoin;
}

function nothingKept(path: string, { gaps, join }: Emptiness): HistoryError {
  const leftOut = gaps.some((gap) => gap.leftOut > 0);
  const why = leftOut
    ? 'its changes of depth follow no whole book'
    : join.known === undefined
      ? 'it has neither trades nor depth'
      : 'the dataset has their time already';
  return new HistoryError(`Cannot import ${basename(path)}: no row of it can be kept: ${why}`);
}

/** How to close a gap, by its reason. */
const ADVICE: Readonly<Record<string, string>> = {
  [NO_SNAPSHOT]: 'import what was recorded before, then this again with --replace',
  [NOT_FOLLOWED]: 'import that again with --replace',
  [UNTOLD_UPDATE]: 'import the recording before again with --replace, then this',
};

/** Remarks where and why the book is unknown. `name`: what the rows are called. */
function remarksOn(name: string, gaps: readonly LoggedGap[]): Remark[] {
  const remarks = gaps.slice(0, TOLD_MAX).map(({ from, to, reason, leftOut }) => {
    const span = `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
    const left = leftOut === 0 ? '' : `, ${changesText(leftOut)} left out`;
    const text = `the book of ${name} is unknown ${span}${left}: ${reason}`;
    return { text, hint: ADVICE[reason] };
  });
  const others = gaps.slice(TOLD_MAX);
  if (others.length === 0) return remarks;
  const leftOut = changesText(others.reduce((sum, gap) => sum + gap.leftOut, 0));
  const text = `the book of ${name} is unknown in ${others.length} more places, ${leftOut} left out`;
  return [...remarks, { text }];
}

function changesText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'change is' : 'changes are'}`;
}
