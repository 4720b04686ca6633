import type { Analysis } from '../../analysis.ts';
import { formatNumber, formatValue } from '../../format.ts';
import type { RefusalCount } from '../../record.ts';
import { type Html, html } from '../html.ts';
import { cell, row, table } from '../table.ts';
import { metricName, shownOr } from './figures.ts';

/** What trading cost, and what was refused. */
export function costsAndRefusals(analysis: Analysis): Html {
  return html`<div class="beside-each-other">${costs(analysis)}${refusals(analysis)}</div>`;
}

function costs(analysis: Analysis): Html {
  const { figures, money } = analysis;
  const rows = figures.filter(({ metric }) => metric.family === 'costs');
  return html`<section aria-labelledby="costs-title"><h2 id="costs-title">Costs</h2>
<p class="muted">${earned(analysis)}</p>${table({
    caption: 'Fees, slippage, missed',
    heads: ['Cost', 'Value'],
    hidesHeads: true,
    rows: rows.map(({ metric, measured }) => {
      const shown = shownOr(measured, () => costText(measured.value ?? 0, metric.unit, money));
      return row(metricName(metric), [cell(shown)]);
    }),
  })}</section>`;
}

function earned({ facts: { trades, costs: sums }, money }: Analysis): string {
  const closed = trades.won + trades.lost;
  if (trades.count === 0) return 'No trade was closed.';
  if (Number.isNaN(closed))
    return 'What the closed trades earned is not known: a price is missing.';
  const text = (value: number): string => formatValue(value, 'quote', money);
  const verb = closed < 0 ? 'lost' : 'earned';
  const result = `The closed trades ${verb} ${text(Math.abs(closed))} after fees`;
  return `${result}; all fees were ${text(sums.fees)}.`;
}

/** Shares below one percent get four decimal places instead of two. */
function costText(...[value, unit, money]: Parameters<typeof formatValue>): string {
  return unit === 'fraction' && value !== 0 && Math.abs(value) < 0.01
    ? `${formatNumber(value * 100, 4)} %`
    : formatValue(value, unit, money);
}

function refusals({ record }: Analysis): Html {
  const sorted = record.refusals.toSorted((a, b) => b.wishes - a.wishes);
  const most = sorted[0]?.wishes ?? 0;
  const rows = sorted.map(({ code, count, wishes }) => {
    const width = ((100 * wishes) / most).toFixed(1);
    const meter = html`<td class="meter"><i style="width:${width}%"></i></td>`;
    const tries = count > wishes ? ` in ${formatNumber(count, 0)} tries` : '';
    return row(html`<code>${code}</code>`, [meter, `${formatNumber(wishes, 0)}${tries}`]);
  });
  const heads = ['Code', 'Share', 'Count'];
  return html`<section aria-labelledby="refusals-title"><h2 id="refusals-title">Refusals</h2>
<p class="muted">${refusedText(sorted)}</p>
${most > 0 ? table({ caption: 'By code', heads, rows, hidesHeads: true }) : undefined}</section>`;
}

/** How many wishes were refused, by risk, and how many orders were rejected. */
function refusedText(refusals: readonly RefusalCount[]): string {
  const { wishes = [], orders = [] } = Object.groupBy(refusals, ({ ofOrders }) =>
    ofOrders ? 'orders' : 'wishes',
  );
  const refused = sumOf(wishes);
  const rejected = sumOf(orders);
  const order = `${formatNumber(rejected, 0)} ${rejected === 1 ? 'order' : 'orders'}`;
  if (refused === 0 && rejected === 0) return 'Nothing was refused.';
  if (refused === 0) return `${order} ${rejected === 1 ? 'was' : 'were'} rejected.`;
  const wish = `${formatNumber(refused, 0)} ${refused === 1 ? 'wish was' : 'wishes were'} refused`;
  return rejected === 0 ? `${wish}.` : `${wish}, ${order} rejected.`;
}

function sumOf(refusals: readonly RefusalCount[]): number {
  return refusals.reduce((sum, { wishes }) => sum + wishes, 0);
}
