import { Decimal } from '../../kernel/index.ts';
import { AMOUNT_COLUMNS } from '../store/kinds.ts';
import { literal } from '../store/sql.ts';
import type { Recognised } from './table.ts';

/** Digits of a size, and of an amount with so many decimals: a product has the database's 38. */
const SIZE_DIGITS = 12;
const AMOUNT_DIGITS = 26;
const AMOUNT_DECIMALS = 12;

/** Whether a number can be the size of a contract: above zero, of at most 12 digits. */
export function isContractSize(size: number): boolean {
  if (!Number.isFinite(size) || size <= 0) return false;
  const [whole = '', decimals = ''] = Decimal.of(size).toString().split('.');
  return whole.length + decimals.length <= SIZE_DIGITS;
}

/**
 * Converts a format's amounts from contracts to the base currency. `size`: how much of the base
 * currency a contract is worth. Default: amounts stay as they are.
 *
 * @throws {TypeError} when a contract's worth in the base currency depends on the price.
 */
export function inBaseCurrency(recognised: Recognised, size: number | undefined): Recognised {
  const { amountUnit, columns } = recognised;
  if (size === undefined) return recognised;
  if (amountUnit !== undefined && amountUnit !== 'contracts') {
    throw new TypeError(
      `its amounts count ${amountUnit}, which are worth another amount of the base currency at each ` +
        'price, a file without a contract size is wanted',
    );
  }
  const cells = Object.entries(columns).map(([name, cell]) => [
    name,
    AMOUNT_COLUMNS.includes(name) ? productOf(cell, size) : cell,
  ]);
  return { ...recognised, amountUnit: undefined, columns: Object.fromEntries(cells) };
}

/** SQL for a cell times a size, in decimals: 7 times 0.1 is 0.7. NULL and NaN stay. */
function productOf(cell: string, size: number): string {
  const text = Decimal.of(size).toString();
  const decimals = text.split('.')[1]?.length ?? 0;
  const amount = `TRY_CAST((${cell})::VARCHAR AS DECIMAL(${AMOUNT_DIGITS}, ${AMOUNT_DECIMALS}))`;
  const product = `${amount} * ${literal(text)}::DECIMAL(${SIZE_DIGITS}, ${decimals})`;
  return `CASE WHEN isnan(${cell}) THEN ${cell} ELSE (${product})::VARCHAR::DOUBLE END`;
}
