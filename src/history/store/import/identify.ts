import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { diskTrouble } from '../../disk-trouble.ts';
import { HistoryError } from '../../errors.ts';
import { type FileHead, readHead } from '../../formats/file-head.ts';
import { unendedLine } from '../../formats/last-line.ts';
import { openTable } from '../../formats/open-table.ts';
import { rewriteText } from '../../formats/plain-text.ts';
import { pricesSource } from '../../formats/prices-name.ts';
import type { Recognised, Table } from '../../formats/table.ts';
import { isZip, unzip } from '../../formats/unzip.ts';
import { inferMarketId, MARKET_WANTED, pairOf } from '../../market-name.ts';
import { isRaw } from '../../raw.ts';
import { requireFile } from '../../require-file.ts';
import { quote, readTime } from '../../values.ts';
import type { Database } from '../database.ts';
import type { DatasetKind } from '../kinds.ts';
import type { Origin } from '../origin.ts';
import { placeOf } from '../staging/row-place.ts';
import { type FileRead, troubleOf } from '../staging/wording.ts';
import type { ImportOptions } from './import-files.ts';
import { recogniseTable } from './recognise-table.ts';

/** What a file is, and which dataset it belongs to. */
export interface Identified {
  readonly path: string;
  readonly format: string;
  readonly kind: DatasetKind;
  readonly market: string;
  readonly source: string;
  readonly origin: Origin;
  /** A file of rows; undefined for a raw recording. */
  readonly table?: Table;
  readonly recognised?: Recognised;
  /** The recorder's first stamp, milliseconds since the epoch; raw recordings only. */
  readonly beganTime?: number;
  /** A warning if the file names another market than the one that was asked for. */
  readonly strange?: string | undefined;
  /** A warning if it may be cut. */
  readonly unended?: string | undefined;
  /**
   * Warnings about rows that were left out, volumes that are missing and sides that are not told.
   */
  readonly odd?: readonly string[];
}

interface FileToIdentify {
  readonly file: string;
  readonly options: ImportOptions;
  /** Where archives are unpacked to. */
  readonly workFolder: string;
}

/** The beginning of a file. */
interface OpenedHead extends FileHead {
  /** Whether it is known not to be cut. */
  readonly isWhole: boolean;
}

/** Tells what a file is by its content. @throws {HistoryError} when that cannot be told. */
export async function identify(database: Database, what: FileToIdentify): Promise<Identified> {
  const name = basename(what.file);
  let head: OpenedHead | undefined;
  try {
    head = await headOf(what);
    if (isRaw(head.text)) return identifyRaw(head, what.options);
    return await identifyTable(database, { ...what, head });
  } catch (thrown) {
    if (thrown instanceof HistoryError) throw thrown;
    const text = diskTrouble(thrown) ?? (await troubleOf(thrown, fileOf(head)));
    throw new HistoryError(`Cannot import ${name}: ${text}`, { cause: thrown });
  }
}

function fileOf(head: FileHead | undefined): FileRead {
  const isText = head?.form === 'text';
  return { textFile: isText ? head?.file : undefined, isPacked: head !== undefined && !isText };
}

/** The beginning of a file as the database can read it. */
async function headOf({
  file,
  options: { signal },
  workFolder,
}: FileToIdentify): Promise<OpenedHead> {
  requireFile(file);
  const inner = (): string => newFolder(workFolder);
  const plain = (await isZip(file)) ? await unzip(file, { folder: inner(), signal }) : file;
  const head = await readHead(plain);
  const { encoding, isGzip } = head;
  // Archives hold checksums, and show where they were cut.
  const isWhole = isGzip || plain !== file;
  // A recording is unpacked while it is read.
  if (encoding === undefined && (!isGzip || isRaw(head.text))) return { ...head, isWhole };
  const rewritten = await rewriteText(plain, { folder: inner(), encoding, signal });
  return { ...(await readHead(rewritten)), isWhole };
}

/** A folder for each file: archives may hold files of one name. */
function newFolder(workFolder: string): string {
  return mkdtempSync(join(workFolder, 'plain-'));
}

function identifyRaw(head: FileHead, options: ImportOptions): Identified {
  if (options.contractSize !== undefined) {
    throw new TypeError('it is a raw recording, no contract size is wanted');
  }
  const [, symbol] = /"s":"(\w+)"/.exec(head.text) ?? [];
  const market = marketOf(head.name, { symbol, options });
  const strange = strangeMarket(head.name, { symbol, market });
  // Changes of a futures book name the one before them: `pu`.
  const name = head.text.includes('"pu":') ? 'binance-futures' : 'binance';
  const { source = name } = options;
  const origin = { kind: 'files', name } as const;
  const beganTime = readTime(/\d+/.exec(head.text)![0]);
  const facts = { format: 'raw recording', kind: 'depth', market, source, origin } as const;
  return { path: head.file, ...facts, beganTime, strange };
}

async function identifyTable(
  database: Database,
  { options, head, workFolder }: FileToIdentify & { readonly head: OpenedHead },
): Promise<Identified> {
  const { signal } = options;
  const table = await openTable(database, { head, signal, newFolder: () => newFolder(workFolder) });
  const { mapping, kinds } = options;
  const recognised = await recogniseTable(table, options);
  const { format, kind, isGuess = false } = recognised;
  if (kinds?.includes(kind) === false) {
    const wanted = kinds.join(', ').replace(/, (\w+)$/, ' or $1');
    throw new TypeError(`it holds ${kind}; ${wanted} are wanted`);
  }
  const symbol = await symbolOf(database, { table, recognised });
  const market = mapping?.market ?? marketOf(head.name, { symbol, options });
  const strange = strangeMarket(head.name, { symbol, market });
  const publisher = recognised.source ?? pricesSource(head.name);
  const source = options.source ?? publisher ?? 'local';
  const origin = { kind: 'files', name: isGuess ? undefined : publisher } as const;
  const known = { format, kind, market, source, origin, table, recognised };
  const unended = table.form === 'CSV' && !head.isWhole ? await cutText(head) : undefined;
  return { path: head.file, ...known, strange, unended };
}

/** A warning about a text whose last line has no end though others have, which may be right. */
async function cutText({ file, name }: FileHead): Promise<string | undefined> {
  const line = await unendedLine(file);
  if (line === undefined) return undefined;
  return (
    `${name} has no line end behind its last row, which is imported as it stands: ${quote(line)}; ` +
    'if it was cut in a download, import the whole file with --replace'
  );
}

interface ColumnOfOne {
  readonly table: Table;
  readonly column: string;
  /** What a file must have only one of. */
  readonly what: keyof typeof REMEDIES;
}

/** The symbol of a file, if it has any. @throws {TypeError} when it holds several, or exchanges. */
async function symbolOf(
  database: Database,
  { table, recognised }: { readonly table: Table; readonly recognised: Recognised },
): Promise<string | undefined> {
  const { symbolColumn, ofOne = [] } = recognised;
  const columns = [
    ...(symbolColumn === undefined ? [] : [{ column: symbolColumn, what: 'market' } as const]),
    ...ofOne.filter(({ column }) => column !== symbolColumn),
  ];
  if (columns.length === 0) return undefined;
  const names = columns.map(({ column }) => column).join(', ');
  const rows = await database.rows(`SELECT DISTINCT ${names} FROM ${table.relation} LIMIT 2`);
  if (rows.length > 1) for (const one of columns) await refuseSeveral(database, { table, ...one });
  return symbolColumn === undefined ? undefined : String(rows[0]![symbolColumn]);
}

/** @throws {TypeError} where a column names several, with the row that each begins at. */
async function refuseSeveral(
  database: Database,
  { table, column, what }: ColumnOfOne,
): Promise<void> {
  const [first, ...others] = await database.rows(
    `SELECT name, min(row) AS row FROM
      (SELECT ${column} AS name, row_number() OVER () AS row FROM ${table.relation})
    GROUP BY name ORDER BY row LIMIT 3`,
  );
  if (others.length === 0) return;
  const from = await Promise.all(
    others.map(async ({ name, row }) => `${name} (from ${await placeOf(Number(row), { table })})`),
  );
  const names = [first!.name, ...from].join(', ');
  throw new TypeError(`it holds ${names}, one ${what} a file is wanted${REMEDIES[what]}`);
}

/** What helps besides splitting the file. */
const MAPPING = ', or a mapping of its columns (--mapping), which takes all for one';
const REMEDIES = { market: '', exchange: MAPPING, contract: MAPPING, asset: MAPPING } as const;

interface MarketHints {
  readonly symbol: string | undefined;
  readonly options: ImportOptions;
}

function marketOf(name: string, { symbol, options }: MarketHints): string {
  const market = options.market ?? namedMarket(name, symbol);
  if (market !== undefined) return market;
  throw new TypeError(MARKET_WANTED);
}

/** The market by the symbol in the rows, else by the name of the file. */
function namedMarket(name: string, symbol: string | undefined): string | undefined {
  return inferMarketId(symbol ?? '') ?? pairOf(symbol) ?? inferMarketId(name);
}

/** A warning if a file seems to be of another market than it is imported for. */
function strangeMarket(
  name: string,
  { symbol, market }: { readonly symbol: string | undefined; readonly market: string },
): string | undefined {
  const named = namedMarket(name, symbol);
  if (named === undefined || named === market) return undefined;
  return `${name} names ${named}, its rows are imported as ${market}`;
}
