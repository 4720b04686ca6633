import type { Analysis } from '../../analysis.ts';
import { formatNumber } from '../../format.ts';
import { type Bin, countTicks, histogram } from '../../histogram.ts';
import { closedTrips } from '../../trips/round-trip.ts';
import { type Html, html } from '../html.ts';
import { row, table } from '../table.ts';

/** How the closed trades' profits are spread, as fractions of their entry values. */
export function distribution({ facts: { trades, trips } }: Analysis): Html | undefined {
  if (trades.count === 0) return undefined;
  const bins = histogram(closedTrips(trips).map(({ profitShare }) => profitShare));
  const ticks = countTicks(Math.max(...bins.map(({ count }) => count)));
  const asTable = table({
    caption: 'Closed trades by profit',
    heads: ['Profit, %', 'Trades'],
    rows: bins.map((bin) => row(range(bin), [formatNumber(bin.count, 0)])),
  });
  return html`<section aria-labelledby="distribution-title">
<h2 id="distribution-title">Distribution of trades</h2>
<p class="muted">${formatNumber(trades.count, 0)} closed ${trades.count === 1 ? 'trade' : 'trades'}
by profit after fees, in percent of the entry.</p>
<div class="plot" aria-hidden="true"><span class="unit">Trades</span>
${counts(ticks)}<div class="bars">${lines(ticks)}${bins.map((bin) => bar(bin, ticks.at(-1)!))}</div>
<div class="axis">${axis(bins)}</div></div>
<details><summary>As a table</summary>${asTable}</details></section>`;
}

/** The numbers of trades that stand beside the bars. */
function counts(ticks: readonly number[]): Html {
  const top = ticks.at(-1)!;
  const labels = ticks.map((tick) => {
    return html`<span style="bottom:${share(tick, top)}%">${formatNumber(tick, 0)}</span>`;
  });
  return html`<div class="counts" style="--digits:${formatNumber(top, 0).length}">${labels}</div>`;
}

/** A line behind the bars for each tick but the first, which is where the bars stand. */
function lines(ticks: readonly number[]): Html[] {
  const top = ticks.at(-1)!;
  return ticks
    .slice(1)
    .map((tick) => html`<i class="line" style="bottom:${share(tick, top)}%"></i>`);
}

const share = (count: number, top: number): string => ((100 * count) / top).toFixed(1);

function bar(bin: Bin, top: number): Html {
  // An open-ended bin may hold gains and losses.
  const tone = bin.to <= 0 ? 'loss' : bin.from >= 0 ? 'gain' : 'muted';
  const title = `${range(bin)} %: ${bin.count}`;
  return html`<span class="bar ${tone}" title="${title}"><i style="height:${share(bin.count, top)}%"></i></span>`;
}

/** Labels at the two ends, and at zero where it lies well between them. */
function axis(bins: readonly Bin[]): Html[] {
  const left = bins[0]!;
  const right = bins.at(-1)!;
  const labels = [
    { at: 0, text: left.from === -Infinity ? `< ${percent(left.to)}` : percent(left.from) },
    { at: 100, text: right.to === Infinity ? `≥ ${percent(right.from)}` : percent(right.to) },
  ];
  const zero = (100 * bins.findIndex(({ from }) => from === 0)) / bins.length;
  if (zero > 15 && zero < 85) labels.push({ at: zero, text: '0' });
  return labels.map(({ at, text }) => {
    // On a phone there is no room for zero beside the label at the end.
    const isNear = at === zero && (zero < 30 || zero > 70);
    const place = html`style="left:${at.toFixed(2)}%" data-at="${at}"`;
    return html`<span ${place}${isNear ? html` class="near"` : undefined}>${text} %</span>`;
  });
}

function range({ from, to }: Bin): string {
  if (from === -Infinity) return `below ${percent(to)}`;
  return to === Infinity ? `${percent(from)} and more` : `${percent(from)} to ${percent(to)}`;
}

const percent = (fraction: number): string => String(Number((fraction * 100).toPrecision(6)));
