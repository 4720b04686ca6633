import type { Market } from '../../../domain/index.ts';
import { formatDuration } from '../../../kernel/index.ts';
import type { Analysis } from '../../analysis.ts';
import { formatNumber, formatShare, formatSignificant, formatTime } from '../../format.ts';
import { type ClosedTrip, closedTrips, inAccount } from '../../trips/round-trip.ts';
import { type Html, html } from '../html.ts';
import { padded, signClass } from '../numbers.ts';
import { cell, head, row, table } from '../table.ts';

/** How many of the best and of the worst trades are listed. */
const ENDS = 10;
/** How many trades are gathered before all but the best and the worst are dropped. */
const HELD_MAX = 1_000;

/** The button stands far left, because a table too wide for the page is cut off on the right. */
const HEADS = [
  'Opened',
  ...[head(html`<span class="hidden">Chart</span>`), head('Market', 'word'), head('Side', 'word')],
  ...['Amount', 'Entry', 'Exit', 'Held for', 'Against', 'In favour', 'Fees', 'Profit', 'Share'],
];

/** The best and the worst trades, each to be looked at in the chart. */
export function trades({ facts, record, money }: Analysis): Html | undefined {
  const { count, open } = facts.trades;
  if (count === 0) return undefined;
  const isAll = count <= 2 * ENDS;
  const closed = closedTrips(facts.trips);
  const listed = isAll ? [...closed] : endsOf(closed);
  const markets = new Map(record.markets.map((market) => [market.id, market]));
  const own = [...new Set(listed.map((trip) => trip.market))].map((id) => markets.get(id));
  const most = {
    price: Math.max(...own.map((market) => market?.priceScale ?? 0)),
    amount: Math.max(...own.map((market) => market?.amountScale ?? 0)),
  };
  return html`<section aria-labelledby="trades-title"><h2 id="trades-title">Trades</h2>
${stillOpen(open)}${table({
  caption: captionOf(isAll ? undefined : count, currencyOf(record, money)),
  heads: HEADS,
  rows: listed.map((trip) => tripRow(trip, { record, money, markets, most })),
  look: 'trades',
})}</section>`;
}

/** The currency that the money of all trades is shown in, and how others were converted to it. */
function currencyOf(
  { markets, quote }: Analysis['record'],
  { currency }: Analysis['money'],
): string {
  const isConverted = markets.some((market) => market.quote !== quote);
  return isConverted ? `${currency}, converted by the prices when they ended` : currency;
}

/** `count`: how many trades there are, if only the best and the worst are listed. */
function captionOf(count: number | undefined, currency: string): string {
  if (count === undefined) return `All closed trades, in ${currency}`;
  const ends = `The ${ENDS} best and the ${ENDS} worst of ${formatNumber(count, 0)} by their share`;
  return `${ends}, in ${currency}; trades.csv holds all`;
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

interface RowOptions extends Pick<Analysis, 'record' | 'money'> {
  readonly markets: ReadonlyMap<string, Market>;
  /** The most places that prices and amounts of the rows have. */
  readonly most: { readonly price: number; readonly amount: number };
}

function tripRow(trip: ClosedTrip, options: RowOptions): Html {
  const { record, money, markets, most } = options;
  const { priceScale, amountScale } = markets.get(trip.market) ?? {};
  const price = (value: number) => onScale(value, { places: priceScale, most: most.price });
  const { profit, fees } = inAccount(trip);
  const inMoney = (value: number): string => formatNumber(value, money.places);
  const tone = signClass(trip.profit);
  return row(formatTime(trip.openTime), [
    cell(record.prices.get(trip.market)?.time.length ? showButton(trip) : undefined),
    cell(trip.market, 'word'),
    cell(trip.side, 'word'),
    onScale(trip.amount, { places: amountScale, most: most.amount }),
    price(trip.entryPrice),
    price(trip.exitPrice),
    formatDuration(trip.closeTime - trip.openTime),
    formatShare(trip.adverse),
    formatShare(trip.favourable),
    inMoney(fees),
    cell(inMoney(profit), tone),
    cell(formatShare(trip.profitShare), tone),
  ]);
}

/** With the decimal places of its market; what would round to zero has the digits that it needs. */
function onScale(value: number, to: { places: number | undefined; most: number }): string {
  const { places, most } = to;
  if (places === undefined || Math.abs(value) < 10 ** -places / 2) return formatSignificant(value);
  return padded(formatNumber(value, places), { places, most });
}

function showButton({ market, openTime, closeTime }: ClosedTrip): Html {
  const label = `Show the trade of ${formatTime(openTime)} in the chart`;
  const from = Math.floor(openTime / 1000);
  const to = Math.ceil(closeTime / 1000);
  return html`<button type="button" class="quiet" aria-label="${label}"
data-show="${market}" data-from="${from}" data-to="${to}">Show</button>`;
}
