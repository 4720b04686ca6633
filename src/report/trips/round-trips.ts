import type { PassedPrices, RunRecord } from '../record.ts';
import type { RoundTrip } from './round-trip.ts';
import { type MarketWalks, Walks } from './walks.ts';

/** The most trips that are held in memory: a few megabytes. */
const KEPT_MAX = 16_384;

/** What round trips are worked out from. */
type TripRecord = Pick<RunRecord, 'fills' | 'markets' | 'passed'>;

/**
 * The round trips that a run's fills make, in the order in which they were known to be over; those
 * still open come last. Up to 16,384 are worked out once and kept, more on each iteration anew.
 *
 * Iterating throws a `ReportError` at a fill whose market is not among the record's.
 */
export function roundTrips(record: TripRecord): Iterable<RoundTrip> {
  let kept: readonly RoundTrip[] | undefined;
  const workedOut = function* (): Generator<RoundTrip> {
    const trips: RoundTrip[] = [];
    let count = 0;
    for (const trip of walked(record)) {
      if (count++ < KEPT_MAX) trips.push(trip);
      else trips.length = 0;
      yield trip;
    }
    if (count <= KEPT_MAX) kept = trips;
  };
  return { [Symbol.iterator]: () => kept?.values() ?? workedOut() };
}

function* walked({ fills, markets, passed }: TripRecord): Generator<RoundTrip> {
  const walks = new Walks(markets);
  for (const fill of fills) {
    for (const walk of walks.in(fill.market)) walk.pass(fill.passed);
    yield* walks.of(fill).add(fill);
  }
  const last = Array.from(walks, ([market, inMarket]) => ended(inMarket, passed.get(market)));
  yield* last.flat().sort(byEnd);
}

function ended(walks: MarketWalks, passed: PassedPrices = {}): RoundTrip[] {
  return [...walks.values()].flatMap((walk) => {
    walk.pass(passed);
    return [...walk.end()];
  });
}

function byEnd(a: RoundTrip, b: RoundTrip): number {
  return (a.closeTime ?? Number.MAX_VALUE) - (b.closeTime ?? Number.MAX_VALUE);
}
