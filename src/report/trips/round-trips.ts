import type { PassedPrices, RunRecord } from '../record.ts';
import type { RoundTrip } from './round-trip.ts';
import { type MarketWalks, Walks } from './walks.ts';

/**
 * The round trips that a run's fills make, in the order in which they were known to be over; those
 * still open come last. They are worked out each time that they are gone through: none is kept.
 *
 * Going through them throws a `ReportError` at a fill whose market is not among the record's.
 */
export function roundTrips(
  record: Pick<RunRecord, 'fills' | 'markets' | 'passed'>,
): Iterable<RoundTrip> {
  return { [Symbol.iterator]: () => walked(record) };
}

function* walked({
  fills,
  markets,
  passed,
}: Pick<RunRecord, 'fills' | 'markets' | 'passed'>): Generator<RoundTrip> {
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
