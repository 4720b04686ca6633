import { timeIn } from '../named-columns.ts';
import { columnFinder, numberOf, type Recogniser, timeOf } from '../table.ts';

const NUMBER = '\\d{1,3}(,\\d{3})*(\\.\\d+)?|\\d+(\\.\\d+)?';
const FACTORS = [
  ['K', 1e3],
  ['M', 1e6],
  ['B', 1e9],
] as const;

/** SQL for a cell such as `42,030.0` as a number; NULL if it is none. */
function groupedNumberOf(column: string): string {
  const plain = numberOf(`replace(trim(${column}), ',', '')`);
  return `CASE WHEN regexp_full_match(trim(${column}), '${NUMBER}') THEN ${plain} END`;
}

/** SQL for a cell such as `2.50K` as a number; NaN if it is empty or a dash. */
function shortNumberOf(column: string): string {
  const cases = FACTORS.map(([letter, factor]) => {
    const digits = numberOf(`replace(replace(trim(${column}), ',', ''), '${letter}', '')`);
    return `WHEN trim(${column}) LIKE '%${letter}' THEN round(${digits} * ${factor})`;
  });
  const none = `WHEN trim(${column}) IN ('', '-') THEN 'nan'::DOUBLE`;
  return `CASE ${none} ${cases.join(' ')} ELSE ${groupedNumberOf(column)} END`;
}

/**
 * Days of Investing.com in English, as downloaded from its Historical Data: the close is headed
 * `Price`, volumes are rounded. The order of dates goes by country; a day above 12 tells it.
 *
 * @throws {TypeError} when none does.
 */
export const investingCandles: Recogniser = (table) => {
  const find = columnFinder(table);
  const [close, change] = [find('price'), find('change%')];
  const [open, high, low] = [find('open'), find('high'), find('low')];
  const [day, volume] = [timeIn(table), find('vol.')];
  if ([close, change, open, high, low].includes(undefined) || day === undefined) return undefined;
  if (day.expression === find('date') && !day.cells.every((cell) => /^\d{4}-\d\d-/.test(cell))) {
    throw new TypeError(
      `it is of Investing.com, and nothing tells the order of its dates (${day.cells[0]}), a file ` +
        'with a day above 12 among its first 1000 is wanted, or dates such as 2024-01-31',
    );
  }
  const prices = { open, high, low, close };
  const cells = Object.entries(prices).map(([name, column]) => [name, groupedNumberOf(column!)]);
  return {
    ...{ format: 'Investing.com', kind: 'candles', source: 'investing' },
    columns: {
      time: timeOf(day.expression),
      ...Object.fromEntries(cells),
      ...(volume === undefined ? {} : { volume: shortNumberOf(volume) }),
    },
    note: `${table.name}: volumes of Investing.com are rounded to a few digits`,
  };
};
