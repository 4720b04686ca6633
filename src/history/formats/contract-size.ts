import { Decimal } from '../../kernel/index.ts';
import { AMOUNT_COLUMNS } from '../store/kinds.ts';
import { literal } from '../store/sql.ts';
import type { Recognised } from './table.ts';

/** Digits of a size, and of an amount and its decimals: a product has the 38 of the database. */
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
 * A format whose amounts count contracts, as one whose amounts are in the base currency. `size`: how
 * much of it a contract is worth. Default: amounts stay as they are.
 *
 * @throws {TypeError} when its contracts are not worth the same at each price.
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

/** A number times a size, as decimals: 7 times 0.1 is 0.7. What is no number stays none. */
function productOf(cell: string, size: number): string {
  const text = Decimal.of(size).toString();
  const decimals = text.split('.')[1]?.length ?? 0;
  const amount = `TRY_CAST((${cell})::VARCHAR AS DECIMAL(${AMOUNT_DIGITS}, ${AMOUNT_DECIMALS}))`;
  const product = `${amount} * ${literal(text)}::DECIMAL(${SIZE_DIGITS}, ${decimals})`;
  return `CASE WHEN isnan(${cell}) THEN ${cell} ELSE (${product})::VARCHAR::DOUBLE END`;
}
