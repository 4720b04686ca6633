import type { Analysis } from '../../analysis.ts';
import { curveOf, knownRows } from '../../curve.ts';
import { formatNumber } from '../../format.ts';
import { byYear, monthlyReturns, type YearReturns } from '../../months.ts';
import { type Html, html } from '../html.ts';
import { signClass } from '../numbers.ts';
import { cell, row, table } from '../table.ts';

const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** How strongly the deepest colour covers the paper, percent: text stays readable on it. */
const STRENGTH_MAX = 42;

/** A row per year, a cell for each month that any year has data of, coloured by its return. */
export function months({ record: { curve }, facts }: Analysis): Html | undefined {
  if (Number.isNaN(facts.equity.last)) return undefined;
  const years = byYear(monthlyReturns(knownRows(curveOf(curve, 'equity'))));
  if (years.length === 0) return undefined;
  const values = years.flatMap((year) => year.months.map((value) => Math.abs(value || 0)));
  const largest = Math.max(...values, Number.EPSILON);
  // Columns without data go, because a phone shows only the first few.
  const shown = NAMES.map((_, at) => years.some(({ months }) => months[at] !== undefined));
  const ofShown = <T>(all: readonly T[]): T[] => all.filter((_, at) => shown[at]);
  return html`<section aria-labelledby="months-title">
<h2 id="months-title">Monthly returns</h2>${table({
    caption: 'Percent, by calendar month in UTC; a part of a month counts for itself',
    heads: ['Year', ...ofShown(NAMES), 'Whole'],
    rows: years.map((year) => {
      return yearRow({ ...year, months: ofShown(year.months) }, largest);
    }),
    look: 'heat',
  })}</section>`;
}

function yearRow({ year, months: values, total }: YearReturns, largest: number): Html {
  const cells = values.map((value) => monthCell(value, largest));
  return row(year, [...cells, cell(percent(total), 'whole')]);
}

function monthCell(value: number | undefined, largest: number): Html {
  if (value === undefined) return cell('');
  // The month began at zero or below.
  if (Number.isNaN(value)) return cell(percent(value));
  const strength = Math.round((Math.abs(value) / largest) * STRENGTH_MAX);
  const look = `warm ${signClass(value)}`;
  return html`<td class="${look}" style="--strength:${strength}%">${percent(value)}</td>`;
}

const percent = (share: number): string => formatNumber(share * 100, 2);
