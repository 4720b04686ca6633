import type { Analysis } from '../../analysis.ts';
import type { ChartData } from '../../chart/chart-data.ts';
import { formatMeasured, formatNumber } from '../../format.ts';
import { type Html, html } from '../html.ts';

const RESET = html`<button type="button" class="quiet" data-reset>Whole period</button>`;

/** The places of the two charts; the page's script draws them. */
export function charts(analysis: Analysis, data: ChartData): Html {
  return html`${equityChart(analysis, data)}${priceChart(data)}`;
}

function equityChart(analysis: Analysis, { buyAndHold, leftAlone }: ChartData): Html | undefined {
  // An equity that is not known is not drawn.
  if (Number.isNaN(analysis.facts.equity.last)) return undefined;
  const summary = summaryOf(analysis);
  return html`<section class="drawn" aria-labelledby="equity-title">
<div class="title"><h2 id="equity-title">Equity and drawdown</h2>${RESET}</div>
<p class="legend"><span class="key account">Account</span>
${leftAlone && html`<span class="key alone">Left alone</span>`}
${buyAndHold && html`<span class="key held">Buy and hold</span>`}
<span class="key fall">Drawdown (below)</span></p>
<p class="readout" id="equity-readout" aria-hidden="true"></p>
<figure class="chart"><div id="equity-chart" role="img" aria-label="${summary}"></div>
<figcaption>Pinch, or scroll with Ctrl, to zoom; drag to move. With keys: + and -, ← and →. Both charts go
together.</figcaption></figure>
</section>`;
}

function summaryOf({ facts, figures, money }: Analysis): string {
  const depth = figures.find(({ metric }) => metric.id === 'maxDrawdown')!;
  const { first } = facts.equity;
  const from = Number.isNaN(first) ? 'an unknown worth' : formatNumber(first, money.places);
  const to = formatNumber(facts.equity.last, money.places);
  const deepest = formatMeasured(depth.measured, 'fraction', money);
  const way = `Equity went from ${from} to ${to} ${money.currency}`;
  return `${way}; its deepest drawdown was ${deepest}.`;
}

function priceChart(data: ChartData): Html | undefined {
  if (data.markets.length === 0) return undefined;
  return html`<section class="drawn" aria-labelledby="price-title">
<div class="title"><h2 id="price-title">Price and trades</h2>
${data.markets.length > 1 ? marketChoice(data) : undefined}${RESET}</div>
<p class="legend"><span class="key buy">▲ ● bought</span> <span class="key sell">▼ ● sold</span>
<span>arrow: entry, dot: exit</span> <span class="key account">Position (below)</span></p>
<p class="readout" id="price-readout" aria-hidden="true"></p>
<figure class="chart"><div id="price-chart" role="img"></div>
<figcaption id="marks-note"></figcaption></figure>
</section>`;
}

function marketChoice({ markets }: ChartData): Html {
  const options = markets.map(({ id }, at) => html`<option value="${at}">${id}</option>`);
  return html`<label>Market <select id="market">${options}</select></label>`;
}
