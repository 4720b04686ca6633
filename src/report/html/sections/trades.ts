import { currenciesOf } from '../../../domain/index.ts';
import type { Analysis } from '../../analysis.ts';
import {
  formatDuration,
  formatNumber,
  formatShare,
  formatSignificant,
  formatTime,
} from '../../format.ts';
import { type ClosedTrip, isClosed, type RoundTrip } from '../../trips/round-trip.ts';
import { type Html, html } from '../html.ts';
import { signClass, typographic } from '../numbers.ts';
import { cell, row, table } from '../table.ts';

/** How many of the best and of the worst trades are listed. */
const ENDS = 10;
/** How many trades are looked at before the others are dropped. */
const HELD_MAX = 1_000;

const HEADS = [
  ...['Opened', 'Market', 'Side', 'Amount', 'Entry', 'Exit', 'Held for', 'Against', 'In favour'],
  ...['Fees', 'Profit', 'Share'],
  html`<span class="hidden">Chart</span>`,
];

/** The best and the worst trades, each to be looked at in the chart. */
export function trades({ facts, record, money }: Analysis): Html | undefined {
  const { count, open } = facts.trades;
  if (count === 0) return undefined;
  const isAll = count <= 2 * ENDS;
  const closed = filtered(facts.trips);
  const listed = isAll ? [...closed] : endsOf(closed);
  return html`<section aria-labelledby="trades-title"><h2 id="trades-title">Trades</h2>
${stillOpen(open)}${table({
  caption: isAll
    ? 'All closed trades'
    : `The ${ENDS} best and the ${ENDS} worst of ${formatNumber(count, 0)} by their share; trades.csv holds all`,
  heads: HEADS,
  rows: listed.map((trip) => tripRow(trip, { record, money })),
  look: 'trades',
})}</section>`;
}

function* filtered(trips: Iterable<RoundTrip>): Generator<ClosedTrip> {
  for (const trip of trips) if (isClosed(trip)) yield trip;
}

/** The best and the worst by their share, the best first; never many are held at once. */
function endsOf(trips: Iterable<ClosedTrip>): ClosedTrip[] {
  let kept: ClosedTrip[] = [];
  for (const trip of trips) {
    kept.push(trip);
    if (kept.length === HELD_MAX) kept = outermost(kept);
  }
  return outermost(kept);
}

function outermost(trips: readonly ClosedTrip[]): ClosedTrip[] {
  const ranked = trips.toSorted((a, b) => b.profitShare - a.profitShare);
  return [...ranked.slice(0, ENDS), ...ranked.slice(-ENDS)];
}

function stillOpen(open: number): Html | undefined {
  if (open === 0) return undefined;
  const were = open === 1 ? 'trade was' : 'trades were';
  return html`<p class="muted">${open} ${were} still open at the end, not listed here.</p>`;
}

function tripRow(trip: ClosedTrip, { record, money }: Pick<Analysis, 'record' | 'money'>): Html {
  const currency = currenciesOf(trip.market).quote.toUpperCase();
  const inQuote = (value: number): string =>
    typographic(`${formatNumber(value, money.places)} ${currency}`);
  const tone = signClass(trip.profit);
  return row(formatTime(trip.openTime), [
    cell(trip.market, 'word'),
    cell(trip.side, 'word'),
    formatSignificant(trip.amount),
    formatSignificant(trip.entryPrice),
    formatSignificant(trip.exitPrice),
    typographic(formatDuration(trip.closeTime - trip.openTime)),
    excursion(trip.adverse),
    excursion(trip.favourable),
    inQuote(trip.fees),
    cell(inQuote(trip.profit), tone),
    cell(typographic(formatShare(trip.profitShare)), tone),
    cell(record.prices.has(trip.market) ? showButton(trip) : undefined),
  ]);
}

function showButton({ market, openTime, closeTime }: ClosedTrip): Html {
  const label = `Show the trade of ${formatTime(openTime)} in the chart`;
  const from = Math.floor(openTime / 1000);
  const to = Math.ceil(closeTime / 1000);
  return html`<button type="button" class="quiet" aria-label="${label}"
data-show="${market}" data-from="${from}" data-to="${to}">Show</button>`;
}

const excursion = (share: number): string => typographic(formatShare(share));
