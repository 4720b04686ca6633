import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { type Dataset, type DatasetKey, datasetId, openDataset, rowsOf } from '../catalogue.ts';
import { type Cell, type Database, withDatabase } from '../database.ts';
import type { FileLock } from '../file-lock.ts';
import { COLUMNS, type DatasetKind } from '../kinds.ts';
import { lockDataset } from '../lock.ts';
import { type Gap, type ImportedSource, type Part, writeManifest } from '../manifest.ts';
import { type Origin, refuseMix } from '../origin.ts';
import { createStaging, STAGED, type StagedFile, typeOf } from '../staging/staging.ts';
import { withWorkFolder } from '../work-folder.ts';
import { appendParts } from './append-parts.ts';
import { takeAwayRepetitions } from './repetitions.ts';
import { letGo } from './replaced-files.ts';
import { type Scales, scalesOf } from './scales.ts';

/** A row of a dataset: a cell for each of its kind's columns, in their order. */
export type DatasetRow = readonly (number | string | undefined)[];

/** Which dataset rows are written to, and by whom. */
export interface WriterOptions {
  /** The folder of all datasets; made where there is none. */
  readonly root: string;
  readonly key: DatasetKey;
  /** Length of a candle; candles only. */
  readonly stepMs?: number | undefined;
  /** The host that the rows come from. */
  readonly name: string;
  readonly format: 'download' | 'record';
  /** Let rows join those of another origin. Default: false. */
  readonly mix?: boolean | undefined;
}

/** Rows and gaps to add to a dataset. */
export interface Addition {
  readonly rows: readonly DatasetRow[];
  /** All gaps of the dataset from now on. Default: those that it has. */
  readonly gaps?: readonly Gap[] | undefined;
}

/**
 * Adds rows to a dataset as they come, and holds its lock until closed.
 *
 * An addition counts wholly or not at all, from the moment in which the new manifest takes its
 * place. A candle takes the place of the one of its time: the venue has revised it. A trade whose
 * id is there already is passed over, unless it is so much later that the venue counts ids anew.
 */
export class DatasetWriter {
  readonly id: string;
  readonly #options: WriterOptions;
  readonly #lock: FileLock;
  readonly #origin: Origin;
  #source: ImportedSource | undefined;

  /**
   * @throws {HistoryError} naming the other process, when one changes the dataset; or when the
   * dataset's rows are of another origin.
   */
  constructor(options: WriterOptions) {
    const { root, key, name, format, mix } = options;
    this.id = datasetId(key);
    this.#options = options;
    this.#origin = { kind: 'venue', name };
    this.#lock = lockDataset(root, { id: this.id, work: `${format}s into` });
    try {
      const sources = [{ origin: this.#origin }];
      refuseMix(this.dataset?.sources ?? [], { id: this.id, action: format, sources, mix });
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** The dataset as it is now; undefined before its first row. */
  get dataset(): Dataset | undefined {
    return openDataset(this.#options.root, this.id);
  }

  /** The cells of the last row up to a time, by their columns; none where there is no such row. */
  async lastRow(time = Number.MAX_VALUE): Promise<Readonly<Record<string, Cell>>> {
    const { dataset } = this;
    const part = dataset?.parts.findLast(({ firstTime }) => firstTime <= time);
    if (dataset === undefined || part === undefined) return {};
    const rows = rowsOf(dataset, [part]);
    return withDatabase((database) =>
      database.row(`SELECT * FROM ${rows} WHERE file_row_number =
        (SELECT max(file_row_number) FROM ${rows} WHERE time <= ${time})`),
    );
  }

  /** Adds rows; returns how many were new. Gaps are dropped while the dataset has no row. */
  async add({ rows, gaps }: Addition): Promise<number> {
    const { root } = this.#options;
    const before = this.dataset;
    if (rows.length === 0) {
      if (before !== undefined && gaps !== undefined) this.#publish(before, { gaps });
      return 0;
    }
    return withWorkFolder(root, (workFolder) =>
      withDatabase((database) => this.#join(database, { rows, gaps, before, workFolder }), {
        spillFolder: workFolder,
      }),
    );
  }

  /** Releases the dataset's lock. */
  close(): void {
    this.#lock.release();
  }

  async #join(database: Database, { rows, gaps, before, workFolder }: Join): Promise<number> {
    const { kind } = this.#options.key;
    await createStaging(database, kind);
    await stage(database, { rows, kind });
    await takeAwayRepetitions(database, { kind, before });
    const staged = await describe(database);
    if (staged === undefined) {
      if (before !== undefined && gaps !== undefined) this.#publish(before, { gaps });
      return 0;
    }
    const span = { first: staged.firstTime, last: staged.lastTime };
    const revision = (before?.revision ?? 0) + 1;
    const written = await appendParts(database, { kind, before, span, revision, workFolder });
    const scales = await scalesOf(database, { kind, before });
    const folder = join(this.#options.root, this.id);
    makeFolder(folder);
    for (const { file } of written.written) renameSync(join(workFolder, file), join(folder, file));
    const source = this.#sourceWith(staged, rows);
    this.#publish(before, { gaps, source, parts: written.parts, revision, ...scales });
    letGo(folder, written);
    return staged.rows;
  }

  /** What this writer has added, with more rows. Its hash covers the hash before and these rows. */
  #sourceWith(added: StagedRows, rows: readonly DatasetRow[]): ImportedSource {
    const { name, format } = this.#options;
    const before = this.#source;
    const hash = createHash('sha256').update(before?.sha256 ?? '');
    return {
      ...{ name, format, origin: this.#origin, dropped: 0 },
      sha256: hash.update(JSON.stringify(rows)).digest('hex'),
      // Rows revised by the first addition were of other sources and count here; later revisions
      // are of this writer's own rows.
      rows: added.rows + (before?.rows ?? added.revised),
      firstTime: Math.min(added.firstTime, before?.firstTime ?? added.firstTime),
      lastTime: Math.max(added.lastTime, before?.lastTime ?? added.lastTime),
      outOfOrder: added.outOfOrder + (before?.outOfOrder ?? 0),
    };
  }

  /** Writes the manifest of a change, which makes it count. What it does not name stays. */
  #publish(before: Dataset | undefined, change: Change): void {
    const { root, key, stepMs } = this.#options;
    const source = change.source ?? this.#source;
    const others = before?.sources.filter(({ sha256 }) => sha256 !== this.#source?.sha256) ?? [];
    writeManifest(join(root, this.id), {
      ...{ key, stepMs },
      priceScale: change.priceScale ?? before!.priceScale,
      amountScale: change.amountScale ?? before!.amountScale,
      revision: change.revision ?? before!.revision,
      parts: change.parts ?? before!.parts,
      sources: source === undefined ? others : [...others, source],
      gaps: change.gaps ?? before?.gaps ?? [],
    });
    this.#source = source;
  }
}

interface Join extends Addition {
  readonly before: Dataset | undefined;
  readonly workFolder: string;
}

interface Change extends Partial<Scales> {
  readonly gaps?: readonly Gap[] | undefined;
  readonly parts?: readonly Part[];
  readonly source?: ImportedSource;
  readonly revision?: number;
}

interface RowsToStage {
  readonly kind: DatasetKind;
  readonly rows: readonly DatasetRow[];
}

async function stage(database: Database, { kind, rows }: RowsToStage): Promise<void> {
  const appender = await database.connection.createAppender(STAGED);
  const types = COLUMNS[kind].map(typeOf);
  for (const [at, row] of rows.entries()) {
    appender.appendInteger(0);
    appender.appendBigInt(BigInt(at));
    for (const [column, type] of types.entries()) {
      const cell = row[column];
      if (cell === undefined) appender.appendNull();
      else if (type === 'VARCHAR') appender.appendVarchar(String(cell));
      else appender.appendDouble(Number(cell));
    }
    appender.endRow();
  }
  appender.closeSync();
}

/** The staged rows: new ones, and those that revise others. */
interface StagedRows extends StagedFile {
  readonly revised: number;
}

/**
 * What the staging table holds; undefined when that is nothing. Rows that came one by one are in
 * their order, whatever their stamps say.
 */
async function describe(database: Database): Promise<StagedRows | undefined> {
  const row = await database.row(`SELECT min(time) AS first, max(time) AS last,
      count(*) FILTER (NOT revised) AS rows, count(*) FILTER (revised) AS revised,
      count(*) FILTER (NOT revised AND time < before) AS falls
    FROM (SELECT time, revised, lag(time) OVER (PARTITION BY revised ORDER BY row) AS before
      FROM ${STAGED})`);
  if (row.first === null) return undefined;
  const [firstTime, lastTime] = [Number(row.first), Number(row.last)];
  const [rows, revised] = [Number(row.rows), Number(row.revised)];
  return { rows, revised, firstTime, lastTime, outOfOrder: Number(row.falls) };
}
