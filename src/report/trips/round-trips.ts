import type { Market } from '../../domain/index.ts';
import { ReportError } from '../errors.ts';
import type { PassedPrices, RecordedFill, RunRecord } from '../record.ts';
import { PositionWalk } from './position-walk.ts';
import type { RoundTrip } from './round-trip.ts';

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

/** The walks through one market, by strategy. */
type Walks = Map<string, PositionWalk>;

function* walked({
  fills,
  markets,
  passed,
}: Pick<RunRecord, 'fills' | 'markets' | 'passed'>): Generator<RoundTrip> {
  const known = new Map(markets.map((market) => [market.id, market]));
  const walks = new Map<string, Walks>();
  for (const fill of fills) {
    const inMarket: Walks = walks.get(fill.market) ?? new Map();
    walks.set(fill.market, inMarket);
    for (const walk of inMarket.values()) walk.pass(fill.passed);
    const walk = inMarket.get(fill.strategy) ?? new PositionWalk(marketOf(fill, known));
    inMarket.set(fill.strategy, walk);
    yield* walk.add(fill);
  }
  const last = Array.from(walks, ([market, inMarket]) => ended(inMarket, passed.get(market)));
  yield* last.flat().sort(byEnd);
}

function ended(walks: Walks, passed: PassedPrices = {}): RoundTrip[] {
  return [...walks.values()].flatMap((walk) => {
    walk.pass(passed);
    return [...walk.end()];
  });
}

function byEnd(a: RoundTrip, b: RoundTrip): number {
  return (a.closeTime ?? Number.MAX_VALUE) - (b.closeTime ?? Number.MAX_VALUE);
}

function marketOf(fill: RecordedFill, markets: ReadonlyMap<string, Market>): Market {
  const market = markets.get(fill.market);
  if (market !== undefined) return market;
  const known = [...markets.keys()].join(', ') || 'none';
  throw new ReportError(
    `Cannot count a fill: its market is ${fill.market}, one of the record's (${known}) is wanted`,
  );
}
