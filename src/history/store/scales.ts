import type { Scales } from '../scales.ts';
import type { Database } from './database.ts';
import { AMOUNT_COLUMNS, COLUMNS, type DatasetKind, PRICE_COLUMNS } from './kinds.ts';
import { identifier } from './sql.ts';
import { STAGED } from './staging.ts';

/** No market quotes finer; more digits are the noise of binary arithmetic. */
const SCALE_MAX = 12;

/** Decimal places of all prices and amounts: of the staged rows and of those before. */
export async function scalesOf(
  database: Database,
  { kind, before }: { readonly kind: DatasetKind; readonly before: Scales | undefined },
): Promise<Scales> {
  const scaleOf = async (names: readonly string[]): Promise<number> => {
    const columns = COLUMNS[kind].filter((name) => names.includes(name));
    const checks = Array.from({ length: SCALE_MAX }, (_, scale) => {
      const fits = columns.map((name) => fitsIn(identifier(name), scale));
      return `bool_and(${fits.join(' AND ')}) AS s${scale}`;
    });
    const row = await database.row(`SELECT ${checks.join(', ')} FROM ${STAGED}`);
    const scale = Object.values(row).indexOf(true);
    return scale === -1 ? SCALE_MAX : scale;
  };
  return {
    priceScale: Math.max(before?.priceScale ?? 0, await scaleOf(PRICE_COLUMNS)),
    amountScale: Math.max(before?.amountScale ?? 0, await scaleOf(AMOUNT_COLUMNS)),
  };
}

function fitsIn(column: string, scale: number): string {
  return `round(${column}, ${scale}) = ${column}`;
}
