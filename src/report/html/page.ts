import type { Analysis } from '../analysis.ts';
import { chartDataOf } from '../chart/chart-data.ts';
import { Html, html, scriptCode, scriptJson } from './html.ts';
import { SCRIPT } from './script.ts';
import { charts } from './sections/charts.ts';
import { costsAndRefusals } from './sections/costs.ts';
import { distribution } from './sections/distribution.ts';
import { figures, glossary } from './sections/figures.ts';
import { markouts } from './sections/markouts.ts';
import { months } from './sections/months.ts';
import { parts } from './sections/parts.ts';
import { premises } from './sections/premises.ts';
import { trades } from './sections/trades.ts';
import { verdict } from './sections/verdict.ts';
import { STYLE } from './style.ts';

/** Nothing is fetched: the browser itself refuses what is not in the file. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/**
 * The report as one page that needs no network.
 *
 * @param chartLibrary the text of `lightweight-charts.standalone.production.js`, put in as it is.
 */
export function reportHtml(analysis: Analysis, chartLibrary: string): string {
  const data = chartDataOf(analysis);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<title>${analysis.record.name} · ${analysis.record.mode}</title>
<style>${new Html(STYLE)}</style>
<noscript><style>button, .drawn { display: none }</style></noscript>
</head>
<body>
<main>
${verdict(analysis)}
<noscript><p class="note">The charts need scripts, which are switched off here.</p></noscript>
${charts(analysis, data)}
${figures(analysis)}
${parts(analysis)}
${months(analysis)}
${distribution(analysis)}
${costsAndRefusals(analysis)}
${markouts(analysis)}
${trades(analysis)}
${premises(analysis)}
${glossary(analysis)}
</main>
<footer class="muted">Tradewind ${analysis.record.version}. Charts by TradingView Lightweight Charts™,
copyright TradingView, Inc., <a href="https://www.tradingview.com/">www.tradingview.com</a>, Apache
License 2.0.</footer>
<script type="application/json" id="data">${scriptJson(data)}</script>
<script>${scriptCode(chartLibrary)}</script>
<script>${scriptCode(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}
