import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../kernel/index.ts';
import { diskTrouble } from '../disk-trouble.ts';
import { HistoryError } from '../errors.ts';
import { AMOUNT_UNITS } from '../formats/amount-unit.ts';
import { DATASET_KINDS } from './kinds.ts';
import { originSchema } from './origin.ts';

/** Raised when files of earlier versions can't be read as they are. */
const SCHEMA_VERSION = 1;
const FILE = 'manifest.json';

/** The file that makes a folder a dataset. */
export function manifestFile(folder: string): string {
  return join(folder, FILE);
}

const spanSchema = {
  rows: z.int().positive(),
  firstTime: z.number(),
  lastTime: z.number(),
};

/** Names of files and folders: a dataset may come from anybody, and must not lead elsewhere. */
const nameSchema = z.string().regex(/^[^/\\]+$/);

const partSchema = z.strictObject({
  file: nameSchema.endsWith('.parquet'),
  /** Part of the names of files. */
  period: nameSchema,
  ...spanSchema,
});

const bookSchema = z.strictObject({
  /** The number and time of the last rows of the book. */
  update: z.number(),
  time: z.number(),
  /** The exchange's number of its last update, which the next change names. */
  updateId: z.number(),
  /** These rows are a whole book: changes up to its update may follow. */
  isWhole: z.boolean(),
});

const sourceSchema = z.strictObject({
  /** The name of the file that was imported, without its folder. */
  name: z.string(),
  sha256: z.string(),
  format: z.string(),
  /** Left out by earlier versions. */
  origin: originSchema.optional(),
  ...spanSchema,
  /** Rows that stood before an earlier one; they were put in order. */
  outOfOrder: z.int(),
  /**
   * Equal rows that were left out on request; of resampled candles, rows with impossible prices.
   */
  dropped: z.int(),
  /** What its amounts count. Default: the base currency. */
  amountUnit: z.enum(AMOUNT_UNITS).optional(),
  /** The factor that brought its amounts into the base currency. Default: 1. */
  contractSize: z.number().optional(),
  /** Each of its trades told its side. Left out where some did not, and where that is not known. */
  toldSides: z.literal(true).optional(),
  /** The book that a raw recording ends with: the next one goes on with it. */
  book: bookSchema.optional(),
});

const gapSchema = z.strictObject({
  /** The last row before it, milliseconds since the epoch. */
  from: z.number(),
  /** The first row after it, or how far it reached when that was last known. */
  to: z.number(),
  reason: z.string(),
  /** Changes of levels that were left out in it; raw recordings only. */
  leftOut: z.int().optional(),
});

const manifestSchema = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  id: nameSchema,
  kind: z.enum(DATASET_KINDS),
  market: nameSchema,
  source: nameSchema,
  /** Length of a candle, such as `1min`; candles only. */
  resolution: nameSchema.optional(),
  stepMs: z.number().positive().optional(),
  ...spanSchema,
  priceScale: z.int(),
  amountScale: z.int(),
  /** Counts the changes; part of the names of the files that a change wrote. */
  revision: z.int().positive(),
  parts: z.array(partSchema).min(1),
  sources: z.array(sourceSchema),
  /** Gaps that were noticed when rows were written, oldest first. */
  gaps: z.array(gapSchema).default([]),
});

/** One file of a dataset. */
export type Part = z.infer<typeof partSchema>;
/** A period of which rows are known to be missing. */
export type Gap = z.infer<typeof gapSchema>;
/** The book after the last row of a raw recording. */
export type BookMark = z.infer<typeof bookSchema>;
/** A file that rows came from. */
export type ImportedSource = z.infer<typeof sourceSchema>;
/** What a dataset is: its file `manifest.json`. Files that this does not name do not count. */
export type Manifest = z.infer<typeof manifestSchema>;

/** A manifest to be written: what its folder and its files do not tell. */
type NewManifest = Pick<Manifest, 'priceScale' | 'amountScale' | 'revision'> & {
  readonly key: Pick<Manifest, 'kind' | 'market' | 'source'> & {
    readonly resolution?: string | undefined;
  };
  readonly stepMs?: number | undefined;
  readonly parts: readonly Part[];
  readonly sources: readonly ImportedSource[];
  readonly gaps: readonly Gap[];
};

/** Reads a dataset's manifest; undefined where there is none. @throws {HistoryError} if broken. */
export function readManifest(folder: string): Manifest | undefined {
  const file = manifestFile(folder);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const what = diskTrouble(thrown) ?? messageOf(thrown);
    throw new HistoryError(`Cannot read ${file}: ${what}`, { cause: thrown });
  }
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (thrown) {
    const what =
      'it is no manifest of this version; `tradewind data remove` and a new import or download are wanted';
    throw new HistoryError(`Cannot read ${file}: ${what}`, { cause: thrown });
  }
}

/** Writes a manifest whole or not at all: this is what makes a change of a dataset count. */
export function writeManifest(folder: string, { key, ...manifest }: NewManifest): void {
  const { parts } = manifest;
  const { kind, market, source, resolution } = key;
  const whole = {
    ...{ schemaVersion: SCHEMA_VERSION, id: basename(folder) },
    ...{ kind, market, source, resolution },
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    firstTime: Math.min(...parts.map(({ firstTime }) => firstTime)),
    lastTime: Math.max(...parts.map(({ lastTime }) => lastTime)),
    ...manifest,
  };
  const draft = join(folder, `${FILE}.new`);
  const text = JSON.stringify(whole, null, 2);
  writeFileSync(draft, `${text}\n`, { flush: true });
  renameSync(draft, manifestFile(folder));
}
