import type { Analysis } from '../analysis.ts';
import { formatMeasured, formatMoney, formatNumber, formatTime } from '../format.ts';
import { FAMILIES, type Family } from '../metrics/metric.ts';
import type { Figure } from '../metrics/metrics.ts';
import { partsTotal } from '../metrics/part-facts.ts';
import { aligned, type Row } from './aligned.ts';

/** The groups' names as people read them. */
export const FAMILY_TITLES: Readonly<Record<Family, string>> = {
  return: 'Return',
  risk: 'Risk',
  drawdown: 'Drawdown',
  exposure: 'Exposure',
  trades: 'Trades',
  costs: 'Costs',
};

/**
 * The figures of a run as lines for a terminal: a block a family, buying and holding beside them,
 * and for every figure that there is none of the reason. No colours.
 */
export function metricsTable(analysis: Analysis): string {
  const rows = FAMILIES.flatMap((family) => familyRows(family, analysis));
  return `${headline(analysis)}\n\n${aligned(rows)}\n${partsTable(analysis)}`;
}

/** What each strategy did in each market, where there are several of one or the other. */
function partsTable({ facts, money }: Analysis): string {
  if (facts.parts.length < 2) return '';
  const heads = ['Strategy', 'Market', 'trades', 'won', 'still open', 'fees', 'profit', ''];
  const total = { ...partsTotal(facts.parts), strategy: 'All', market: '' };
  const parts = [...facts.parts, total];
  const rows = parts.map(({ strategy, market, trades, wins, open, fees, profit }) => [
    ...[strategy, market, formatNumber(trades, 0), formatNumber(wins, 0), formatNumber(open, 0)],
    ...[formatNumber(fees, money.places), formatMoney(profit, money), ''],
  ]);
  return `\n${aligned([heads, ...rows])}\n`;
}

function headline({ record }: Analysis): string {
  const { name, mode, period, fillModel, counts } = record;
  const fills = fillModel === undefined ? '' : `, fills: ${fillModel.name}`;
  const events = `${formatNumber(counts.events, 0)} event${counts.events === 1 ? '' : 's'}`;
  return [
    `${name} (${mode}${fills})`,
    `${formatTime(period.from)} to ${formatTime(period.to)} UTC, ${events}`,
  ].join('\n');
}

function familyRows(family: Family, analysis: Analysis): Row[] {
  const figures = analysis.figures.filter(({ metric }) => metric.family === family);
  const hasBeside = figures.some(({ buyAndHold }) => buyAndHold?.value !== undefined);
  const head = [FAMILY_TITLES[family], '', hasBeside ? 'buy and hold' : '', ''];
  return [
    ...(family === FAMILIES[0] ? [] : [[]]),
    head,
    ...figures.map((one) => row(one, analysis)),
  ];
}

function row({ metric, measured, buyAndHold }: Figure, { money }: Analysis): Row {
  const beside =
    buyAndHold?.value === undefined ? '' : formatMeasured(buyAndHold, metric.unit, money);
  return [
    `  ${metric.label}`,
    formatMeasured(measured, metric.unit, money),
    beside,
    measured.reason ?? '',
  ];
}
