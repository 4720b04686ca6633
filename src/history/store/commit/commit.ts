import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { type Dataset, type DatasetKey, datasetId, openDataset } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { type Gap, type ImportedSource, writeManifest } from '../manifest.ts';
import { type Action, refuseMix } from '../origin.ts';
import type { BesideKnown } from './beside-known.ts';
import { isBefore, isBehind } from './depth-ends.ts';
import { gapsJoined, type LoggedGap } from './gap-log.ts';
import { type Segment, type Span, writeParts } from './parts.ts';
import { isOneOf, type RawJoin } from './raw-join.ts';
import { scalesOf } from './scales.ts';
import { hasAnyIn, replaced, requireNothingBetween, spansOf } from './spans.ts';

/** What happens to rows in a span of time that a dataset covers already. */
export type OverlapRule = 'refuse' | 'append' | 'replace';

/** Decimal places of amounts where no file tells any. Our choice: no exchange counts finer. */
const AMOUNTLESS_SCALE = 8;

/** Rows that are staged and known to be good. */
export interface Commit {
  /** The folder of all datasets. */
  readonly root: string;
  /** A folder on the same disk, for files in the making. */
  readonly workFolder: string;
  readonly key: DatasetKey;
  readonly stepMs?: number | undefined;
  readonly action: Action;
  readonly sources: readonly ImportedSource[];
  readonly overlap: OverlapRule;
  /** Let rows of another origin join. Default: false. */
  readonly mix?: boolean | undefined;
  /** Where raw recordings join, which was settled before they were read. */
  readonly joint?: Joint | undefined;
  /** Which rows `append` adds. Default: those before and after all rows of the dataset. */
  readonly beside?: BesideKnown | undefined;
  /** Gaps that the rows tell of. Default: none. */
  readonly gaps?: readonly Gap[];
}

/** Where raw recordings join a dataset, and where their book is not known. */
export interface Joint extends Pick<RawJoin, 'isAhead' | 'cut' | 'gone' | 'openGap'> {
  /** They arrived before or after all rows of the dataset, whatever their stamps say. */
  readonly isApart: boolean;
  readonly gaps: readonly LoggedGap[];
  /** When the last of their messages arrived; undefined where arrivals tell no order. */
  readonly lastReceived: number | undefined;
}

/**
 * Makes staged rows part of a dataset, wholly or not at all: files are written beside it, and
 * count from the moment in which the manifest that names them takes its place.
 *
 * @throws {HistoryError} when the dataset has rows of another origin, or of that time already and
 * no rule says what to do, or between raw recordings that are to replace others.
 */
export async function commit(database: Database, change: Commit): Promise<Dataset> {
  const { root, key, workFolder } = change;
  const { kind } = key;
  const id = datasetId(key);
  const before = openDataset(root, id);
  refuseMix(before?.sources ?? [], { ...change, id });
  const isRaw = change.joint !== undefined;
  if (before !== undefined && isRaw && change.overlap === 'replace') {
    await requireNothingBetween(database, before);
  }
  const spans = await spansOf(database, change.stepMs);
  const span = { first: spans[0]!.first, last: spans.at(-1)!.last };
  const added = { spans, span, change };
  const segments = before === undefined ? [STAGED_ROWS] : await merge(database, before, added);
  const revision = (before?.revision ?? 0) + 1;
  // Files with rows that go are written anew too.
  const first = Math.min(span.first, ...(change.joint?.gone ?? []).map(({ time }) => time));
  const written = { kind, workFolder, before, segments, span: { ...span, first }, revision };
  const merged = await writeParts(database, written);
  const scales = await scalesOf(database, {
    ...{ kind, before },
    amountlessScale: AMOUNTLESS_SCALE,
    countsQuotes: change.sources.some(({ amountUnit }) => amountUnit === 'quotes'),
  });
  const folder = join(root, id);
  makeFolder(folder);
  for (const { file } of merged.written) {
    renameSync(join(workFolder, file), join(folder, file));
  }
  writeManifest(folder, {
    ...{ key, stepMs: change.stepMs, revision, parts: merged.parts },
    ...scales,
    sources: [...sourcesBefore(before, { spans, change }), ...change.sources],
    gaps: gapsAfter(before, { spans, change }),
  });
  for (const file of merged.replaced) rmSync(join(folder, file), { force: true });
  return openDataset(root, id)!;
}

/**
 * The former sources that still count: not those whose time is replaced, nor an earlier resampling
 * of the same dataset, for the new one counts all rows that were left out.
 */
function sourcesBefore(
  before: Dataset | undefined,
  { spans, change: { overlap, joint, sources } }: Pick<Merge, 'spans' | 'change'>,
): readonly ImportedSource[] {
  const replaces = overlap === 'replace' && joint === undefined;
  const isGone = ({ firstTime, lastTime, origin }: ImportedSource): boolean =>
    (replaces && spans.some(({ first, last }) => first <= firstTime && lastTime <= last)) ||
    (origin?.kind === 'dataset' && sources.some((one) => one.origin?.name === origin.name));
  return (before?.sources ?? []).filter((source) => !isGone(source));
}

/** The gaps after a change. If rows now lie within a gap, what is beside them is still missing. */
function gapsAfter(
  before: Dataset | undefined,
  { spans, change }: Pick<Merge, 'spans' | 'change'>,
): readonly Gap[] {
  let gaps = before?.gaps ?? [];
  const { joint } = change;
  if (joint !== undefined) {
    return gapsJoined(gaps, { ...joint, cut: joint.cut.time, last: spans.at(-1)!.last });
  }
  const { overlap, stepMs = 0 } = change;
  if (overlap !== 'append') {
    for (const span of spans) gaps = gaps.flatMap((gap) => beside(gap, { span, stepMs }));
  }
  return [...gaps, ...(change.gaps ?? [])].sort((a, b) => a.from - b.from);
}

/** The parts of a gap before and after a span of rows that are longer than a candle. */
function beside(
  gap: Gap,
  { span, stepMs }: { readonly span: Span; readonly stepMs: number },
): readonly Gap[] {
  if (gap.to < span.first || gap.from > span.last) return [gap];
  const before = { ...gap, to: Math.min(gap.to, span.first) };
  const after = { ...gap, from: Math.max(gap.from, span.last) };
  return [before, after].filter(({ from, to }) => to - from > stepMs);
}

const STAGED_ROWS: Segment = { from: 'staged', where: 'true' };

interface Merge {
  /** The spans of the staged rows, and the one from the first to the last of them. */
  readonly spans: readonly Span[];
  readonly span: Span;
  readonly change: Commit;
}

async function merge(
  database: Database,
  before: Dataset,
  { spans, span, change }: Merge,
): Promise<Segment[]> {
  const { firstTime, lastTime } = before;
  const { joint, overlap } = change;
  if (joint !== undefined) {
    const isApart =
      joint.isApart || (joint.isAhead ? span.last <= firstTime : span.first >= lastTime);
    if (!isApart && overlap === 'refuse') throw overlaps(before, { span, change });
    return joined(joint, span);
  }
  const isApart = spans.every(({ first, last }) => first > lastTime || last < firstTime);
  if (!isApart && overlap === 'refuse' && (await hasAnyIn(database, { before, spans }))) {
    throw overlaps(before, { span, change });
  }
  if (isApart || overlap !== 'append') return replaced(spans);
  const {
    ahead,
    behind,
    kept = 'true',
  } = change.beside ?? { ahead: `time < ${firstTime}`, behind: `time > ${lastTime}` };
  return [
    { from: 'staged', where: ahead },
    { from: 'before', where: kept },
    { from: 'staged', where: behind },
  ];
}

/** How raw recordings join, which were cut already. */
function joined({ isAhead, cut, gone, lastReceived }: Joint, { last }: Span): Segment[] {
  if (isAhead) return [STAGED_ROWS, { from: 'before', where: 'true' }];
  return [
    { from: 'before', where: `${isBefore(cut)} AND NOT (${isOneOf(gone)})` },
    STAGED_ROWS,
    ...(Number.isFinite(cut.time)
      ? [{ from: 'before', where: isBehind({ time: last, received: lastReceived }) } as const]
      : []),
  ];
}

function overlaps(
  { id, firstTime, lastTime }: Dataset,
  { span, change }: { readonly span: Span; readonly change: Commit },
): HistoryError {
  const text = (first: number, last: number): string =>
    `${new Date(first).toISOString()} to ${new Date(last).toISOString()}`;
  const isWithin = firstTime < span.first && span.last < lastTime;
  // A raw recording within the dataset's time has nothing to add.
  const adding =
    isWithin && change.joint !== undefined ? '' : '--append (add what lies before and after) or ';
  return new HistoryError(
    `Cannot ${change.action} ${text(span.first, span.last)} into ${id}: ` +
      `it has ${text(firstTime, lastTime)} already; ${adding}--replace (take the new rows) is wanted`,
  );
}
