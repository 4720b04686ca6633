import { DAY_MS, formatDuration } from '../../../kernel/index.ts';
import type { Analysis } from '../../analysis.ts';
import type { Conventions } from '../../config.ts';
import { formatMeasured, formatShare } from '../../format.ts';
import { FAMILIES, type Family, type Measured, type Metric } from '../../metrics/metric.ts';
import { type Beside, comparedWith, type Figure } from '../../metrics/metrics.ts';
import { BESIDE_TITLES, FAMILY_TITLES } from '../../tables/text-table.ts';
import { type Html, html } from '../html.ts';
import { head, row, table } from '../table.ts';

/** Every figure but costs: a table per family, with what the account is compared with beside it. */
export function figures(analysis: Analysis): Html {
  const families = FAMILIES.filter((family) => family !== 'costs');
  return html`<section aria-labelledby="figures-title"><h2 id="figures-title">Figures</h2>
<div class="columns">${families.map((family) => familyTable(family, analysis))}</div></section>`;
}

function familyTable(family: Family, analysis: Analysis): Html {
  const own = analysis.figures.filter(({ metric }) => metric.family === family);
  const beside = comparedWith(own);
  return table({
    caption: FAMILY_TITLES[family],
    heads: [
      head(html`<span class="hidden">Figure</span>`),
      'Account',
      ...beside.map((key) => BESIDE_TITLES[key]),
    ],
    rows: own.map((figure) => figureRow(figure, { analysis, beside })),
  });
}

function figureRow(
  figure: Figure,
  { analysis: { money }, beside }: { analysis: Analysis; beside: readonly Beside[] },
): Html {
  const { metric } = figure;
  const cells = ['measured' as const, ...beside].flatMap((key) => {
    const { [key]: shown } = figure;
    if (shown === undefined) return [];
    return [html`<td>${shownOr(shown, () => formatMeasured(shown, metric.unit, money))}</td>`];
  });
  return row(metricName(metric), cells);
}

/** A metric's name, which a click or a touch opens to its definition. */
export function metricName({ label, definition }: Metric): Html {
  return html`<details class="metric"><summary title="${definition}">${label}</summary>
<span>${definition}</span></details>`;
}

/** What was measured, or in its place the reason why nothing was. */
export function shownOr({ reason }: Measured, text: () => string): Html {
  return reason === undefined ? html`${text()}` : html`<span class="reason">${reason}</span>`;
}

/** The definition of every figure. */
export function glossary({ figures: all, conventions, facts }: Analysis): Html {
  const { yearMs, riskFreeRate, requiredReturn, sampleGates, countsEmptyPeriods } = conventions;
  const [period, days] = [periodOf(conventions), yearMs / DAY_MS];
  const entries = all.map(
    ({ metric }) =>
      html`<dt id="about-${metric.id}">${metric.label}</dt><dd>${metric.definition}</dd>
`,
  );
  const empty = countsEmptyPeriods ? 'counts as one that earned nothing' : 'is left out';
  const samples = sampleGates
    ? 'A figure whose sample is too small is left out.'
    : 'Samples of any size are shown.';
  return html`<section aria-labelledby="glossary-title">
<h2 id="glossary-title">Definitions</h2>
<p class="muted">Returns are taken over each ${period}, a year has ${days} days,
money without risk earns ${formatShare(riskFreeRate)} a year, Sortino asks for
${formatShare(requiredReturn)} a year. ${choices(conventions)}
${facts.leftAlone && LEFT_ALONE}
A period without data ${empty}. ${samples}</p>
<dl class="glossary">${entries}</dl></section>`;
}

function periodOf({ periodName, periodMs }: Conventions): string {
  return /^\d/.test(periodName) ? formatDuration(periodMs) : periodName;
}

const LEFT_ALONE =
  'Left alone are the starting balances as if nothing had been traded, valued as the account is.';

/** The conventions that have several names. */
function choices({ cagrYear, deviation, buyAndHold }: Conventions): string {
  const year = cagrYear === 'periods' ? 'by the count of returns' : `to a year of ${cagrYear} days`;
  const divisor = deviation === 'sample' ? 'n - 1' : 'n';
  const begins = buyAndHold === 'firstOpen' ? 'open' : 'close';
  return (
    `The annual return compounds ${year}, deviations divide by ${divisor}, ` +
    `buying and holding begins at the first ${begins}.`
  );
}
