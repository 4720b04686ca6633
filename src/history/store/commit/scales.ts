import type { Database } from '../database.ts';
import { AMOUNT_COLUMNS, COLUMNS, type DatasetKind, PRICE_COLUMNS } from '../kinds.ts';
import { identifier } from '../sql.ts';
import { STAGED } from '../staging/staging.ts';

/** Decimal places of a market's prices and amounts. */
export interface Scales {
  readonly priceScale: number;
  readonly amountScale: number;
}

/** No market quotes finer; more digits are the noise of binary arithmetic. */
const SCALE_MAX = 12;
/** Rows whose decimal places are likely those of all. */
const FEW = 1_000;

/** The kind of the staged rows, and the scales so far. */
export interface RowsToScale {
  readonly kind: DatasetKind;
  readonly before: Scales | undefined;
  /** Decimal places of amounts where all of them are 0, or count quotes. Default: 0. */
  readonly amountlessScale?: number;
  /** Whether volumes count quotes. Default: they do not. */
  readonly countsQuotes?: boolean;
}

/** Decimal places of all prices and amounts: of the staged rows and of those before. */
export async function scalesOf(
  database: Database,
  { kind, before, amountlessScale = 0, countsQuotes = false }: RowsToScale,
): Promise<Scales> {
  const scaleOf = async (names: readonly string[]): Promise<number> => {
    const columns = COLUMNS[kind].filter((name) => names.includes(name));
    const fit = async (scale: number, rows: string): Promise<boolean> => {
      const fits = columns.map((name) => fitsIn(identifier(name), scale));
      const { all } = await database.row(
        `SELECT bool_and(${fits.join(' AND ')}) AS all FROM ${rows}`,
      );
      return all === true;
    };
    let scale = 0;
    // A few rows show where to begin, so that all are read only once or twice.
    for (const rows of [`(FROM ${STAGED} LIMIT ${FEW})`, STAGED]) {
      while (scale < SCALE_MAX && !(await fit(scale, rows))) scale++;
    }
    return scale;
  };
  const priceScale = Math.max(before?.priceScale ?? 0, await scaleOf(PRICE_COLUMNS));
  const isFree = amountlessScale > 0 && (countsQuotes || (await isAmountless(database, kind)));
  const amountScale = Math.max(await scaleOf(AMOUNT_COLUMNS), isFree ? amountlessScale : 0);
  return { priceScale, amountScale: Math.max(before?.amountScale ?? 0, amountScale) };
}

async function isAmountless(database: Database, kind: DatasetKind): Promise<boolean> {
  const columns = COLUMNS[kind].filter((name) => AMOUNT_COLUMNS.includes(name));
  const zero = columns.map((name) => `bool_and(${identifier(name)} = 0)`).join(' AND ');
  const row = await database.row(`SELECT ${zero} AS zero FROM ${STAGED}`);
  return row.zero === true;
}

function fitsIn(column: string, scale: number): string {
  return `round(${column}, ${scale}) = ${column}`;
}
