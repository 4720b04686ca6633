import { DAY_MS, formatDuration } from '../../../kernel/index.ts';
import type { Analysis } from '../../analysis.ts';
import type { Curve } from '../../curve-meter.ts';
import { formatMeasured, formatMoney, formatShare, formatTime } from '../../format.ts';
import type { Measured } from '../../metrics/metric.ts';
import type { Figure } from '../../metrics/metrics.ts';
import { type Html, html } from '../html.ts';
import { signClass } from '../numbers.ts';
import { metricName } from './figures.ts';

/** The figures at the head of the page. */
const TILES = [
  'totalReturn',
  'maxDrawdown',
  'sharpe',
  'profitFactor',
  'winRate',
  'trades',
  'fees',
  'exposureTime',
];

/** What was run, how it ended in one sentence, and its most telling figures. */
export function verdict(analysis: Analysis): Html {
  const { record, figures } = analysis;
  const { from, to } = record.period;
  const { notes, decisive, fillModel } = record;
  const tiles = TILES.flatMap((id) => figures.filter(({ metric }) => metric.id === id));
  return html`<header>
<div class="headline">
<p class="kind">${record.mode} · ${record.markets.map(({ id }) => id).join(', ')}</p>
<button type="button" id="theme" aria-label="Switch between light and dark">◐</button>
</div>
<h1>${record.name}</h1>
<p class="sentence">${sentence(analysis)}</p>
<p class="muted">${formatTime(from)} to ${formatTime(to)} · all times in UTC ·
${record.strategies.join(', ')} · fills by the model ${fillModel.name}:
<a href="#model-title">what it leaves out</a></p>
${noted(notes.slice(0, decisive))}
<dl class="tiles">${tiles.map((figure) => tile(figure, analysis))}</dl>
${noted(notes.slice(decisive))}
</header>`;
}

function noted(notes: readonly string[]): Html | undefined {
  if (notes.length === 0) return undefined;
  return html`<div class="note">${notes.map((note) => html`<p>${note}</p>`)}</div>`;
}

function tile({ metric, measured, leftAlone, buyAndHold }: Figure, { money }: Analysis): Html {
  const tone = metric.id === 'totalReturn' ? signClass(measured.value) : '';
  const shown = formatMeasured(measured, metric.unit, money);
  const against = (name: string, figure: Measured | undefined): string[] =>
    figure?.value === undefined ? [] : [`${name}: ${formatMeasured(figure, metric.unit, money)}`];
  const beside =
    measured.reason === undefined
      ? [...against('left alone', leftAlone), ...against('buy and hold', buyAndHold)]
      : [measured.reason];
  return html`<div class="tile"><dt>${metricName(metric)}</dt>
<dd><span class="value ${tone}">${shown}</span>
${beside.map((text) => html`<span class="beside">${text}</span>`)}</dd></div>`;
}

function sentence({ facts, money }: Analysis): string {
  const { equity, leftAlone, buyAndHold } = facts;
  const own = equity.last / equity.first - 1;
  if (Number.isNaN(equity.last)) return 'What the account was worth is not known: no price is.';
  if (Number.isNaN(equity.first)) return 'What the account was worth at the start is not known.';
  if (!Number.isFinite(own)) return 'The account began with nothing.';
  const amount = formatMoney(Math.abs(equity.last - equity.first), money);
  const sum = isMoved(own) ? `${moved(own)} (${amount})` : moved(own);
  const account = `The account ${sum} in ${lengthOf(equity.elapsedMs)}`;
  const against = (who: string, curve: Curve | undefined): string[] =>
    curve === undefined || Number.isNaN(curve.last)
      ? []
      : [`${who} ${moved(curve.last / curve.first - 1)}`];
  const others = [
    ...against('the starting balances, left alone,', leftAlone),
    ...against('buying and holding', buyAndHold),
  ];
  return `${[account, ...others].join('; ')}.`;
}

const isMoved = (share: number): boolean => /[1-9]/.test(formatShare(share));

function moved(share: number): string {
  if (!isMoved(share)) return 'stayed where it was';
  return `${share > 0 ? 'gained' : 'lost'} ${formatShare(Math.abs(share))}`;
}

function lengthOf(elapsedMs: number): string {
  const days = Math.round(elapsedMs / DAY_MS);
  return days < 2 ? formatDuration(elapsedMs) : `${days} days`;
}
