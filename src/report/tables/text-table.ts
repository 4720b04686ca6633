import type { Analysis } from '../analysis.ts';
import { formatMeasured, formatMoney, formatNumber, formatTime } from '../format.ts';
import { FAMILIES, type Family, type Measured } from '../metrics/metric.ts';
import { type Beside, comparedWith, type Figure } from '../metrics/metrics.ts';
import { partsTotal } from '../metrics/part-facts.ts';

/** The groups' names as people read them. */
export const FAMILY_TITLES: Readonly<Record<Family, string>> = {
  return: 'Return',
  risk: 'Risk',
  drawdown: 'Drawdown',
  exposure: 'Exposure',
  trades: 'Trades',
  costs: 'Costs',
};

/** What an account is compared with, as people read it. */
export const BESIDE_TITLES: Readonly<Record<Beside, string>> = {
  leftAlone: 'Left alone',
  buyAndHold: 'Buy and hold',
};

/**
 * The figures of a run as lines for a terminal: a block per family, what the account is compared
 * with beside them, and the reason for every figure without a value. No colours.
 */
export function metricsTable(analysis: Analysis): string {
  const beside: Beside[] = [
    ...(analysis.facts.leftAlone ? ['leftAlone' as const] : []),
    'buyAndHold',
  ];
  const rows = FAMILIES.flatMap((family) => familyRows(family, { analysis, beside }));
  return `${headline(analysis)}\n\n${aligned(rows)}\n${partsTable(analysis)}`;
}

/** What each strategy did in each market, if there are several strategies or markets. */
function partsTable({ facts, money }: Analysis): string {
  if (facts.parts.length < 2) return '';
  const heads = ['Strategy', 'Market', 'trades', 'won', 'still open', 'fees', 'profit', ''];
  const total = { ...partsTotal(facts.parts), strategy: 'All', market: '' };
  const parts = [...facts.parts, total];
  const rows = parts.map(({ strategy, market, trades, wins, open, fees, profit }) => [
    ...[strategy, market, formatNumber(trades, 0), formatNumber(wins, 0), formatNumber(open, 0)],
    ...[formatNumber(fees, money.places), formatMoney(profit, money), ''],
  ]);
  return `\n${aligned([heads, ...rows], [0, 1])}\n`;
}

function headline({ record }: Analysis): string {
  const { name, mode, period, fillModel, counts, notes, decisive } = record;
  const events = `${formatNumber(counts.events, 0)} event${counts.events === 1 ? '' : 's'}`;
  return [
    `${name} (${mode}, fills: ${fillModel.name})`,
    `${formatTime(period.from)} to ${formatTime(period.to)} UTC, ${events}`,
    ...notes.slice(0, decisive),
  ].join('\n');
}

interface Shown {
  readonly analysis: Analysis;
  readonly beside: readonly Beside[];
}

function familyRows(family: Family, { analysis, beside }: Shown): Row[] {
  const figures = analysis.figures.filter(({ metric }) => metric.family === family);
  const known = comparedWith(figures);
  const titles = beside.map((key) => (known.includes(key) ? BESIDE_TITLES[key].toLowerCase() : ''));
  const head = [FAMILY_TITLES[family], '', ...titles, ''];
  return [
    ...(family === FAMILIES[0] ? [] : [[]]),
    head,
    ...figures.map((one) => row(one, { analysis, beside })),
  ];
}

function row(figure: Figure, { analysis: { money }, beside }: Shown): Row {
  const { metric, measured } = figure;
  const text = (shown: Measured): string => formatMeasured(shown, metric.unit, money);
  const others = beside.map((key) => {
    const { [key]: shown } = figure;
    return shown?.value === undefined ? '' : text(shown);
  });
  return [`  ${metric.label}`, text(measured), ...others, measured.reason ?? ''];
}

/** A row of a table of texts: a label, two columns of values, and a remark. */
type Row = readonly string[];

/** Rows in columns: `words` (by index) and the last aligned left, all others right. */
function aligned(rows: readonly Row[], words: readonly number[] = [0]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  const last = widths.length - 1;
  const line = (row: Row): string =>
    row
      .map((cell, at) =>
        words.includes(at) || at === last ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!),
      )
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}
