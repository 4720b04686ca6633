import type { Market } from '../../domain/index.ts';
import { ReportError } from '../errors.ts';
import type { PriceColumns, RecordedFill, RunRecord } from '../record.ts';
import { withExcursions } from './excursions.ts';
import { PositionWalk } from './position-walk.ts';
import type { RoundTrip } from './round-trip.ts';

/**
 * The round trips that a run's fills make, in the order in which they were known to be over; those
 * still open come last. They are worked out each time that they are gone through: none is kept.
 *
 * Going through them throws a `ReportError` at a fill whose market is not among the record's.
 */
export function roundTrips(
  record: Pick<RunRecord, 'fills' | 'markets' | 'prices'>,
): Iterable<RoundTrip> {
  return { [Symbol.iterator]: () => walked(record) };
}

function* walked({
  fills,
  markets,
  prices,
}: Pick<RunRecord, 'fills' | 'markets' | 'prices'>): Generator<RoundTrip> {
  const known = new Map(markets.map((market) => [market.id, market]));
  const walks = new Map<string, PositionWalk>();
  for (const fill of fills) {
    const name = `${fill.market} ${fill.strategy}`;
    const walk = walks.get(name) ?? new PositionWalk(marketOf(fill, known));
    walks.set(name, walk);
    for (const trip of walk.add(fill)) yield measured(trip, prices);
  }
  const last = [...walks.values()].flatMap((walk) => [...walk.end()]);
  for (const trip of last.toSorted(byEnd)) yield measured(trip, prices);
}

function byEnd(a: RoundTrip, b: RoundTrip): number {
  return (a.closeTime ?? Number.MAX_VALUE) - (b.closeTime ?? Number.MAX_VALUE);
}

function measured(trip: RoundTrip, prices: ReadonlyMap<string, PriceColumns>): RoundTrip {
  const columns = prices.get(trip.market);
  return columns === undefined ? trip : withExcursions(trip, columns);
}

function marketOf(fill: RecordedFill, markets: ReadonlyMap<string, Market>): Market {
  const market = markets.get(fill.market);
  if (market !== undefined) return market;
  const known = [...markets.keys()].join(', ') || 'none';
  throw new ReportError(
    `Cannot count a fill: its market is ${fill.market}, one of the record's (${known}) is wanted`,
  );
}
