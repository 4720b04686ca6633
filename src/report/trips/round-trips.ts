import type { Market } from '../../domain/index.ts';
import { ReportError } from '../errors.ts';
import type { PriceColumns, RecordedFill, RunRecord } from '../record.ts';
import { withExcursions } from './excursions.ts';
import { PositionWalk } from './position-walk.ts';
import type { RoundTrip } from './round-trip.ts';

/**
 * The round trips that a run's fills make, in the order in which they began.
 *
 * @throws {ReportError} when a fill's market is not among the record's.
 */
export function roundTrips(record: Pick<RunRecord, 'fills' | 'markets' | 'prices'>): RoundTrip[] {
  const markets = new Map(record.markets.map((market) => [market.id, market]));
  const trips: RoundTrip[] = [];
  for (const fills of byStrategyAndMarket(record.fills)) {
    const market = marketOf(fills[0]!, markets);
    for (const trip of tripsOf(fills, market)) trips.push(measured(trip, record.prices));
  }
  return trips.sort((a, b) => a.openTime - b.openTime);
}

function tripsOf(fills: readonly RecordedFill[], market: Market): RoundTrip[] {
  const walk = new PositionWalk(market);
  for (let at = 0; at < fills.length; at++) walk.add(fills[at]!, fills[at + 1]);
  return walk.end();
}

function measured(trip: RoundTrip, prices: ReadonlyMap<string, PriceColumns>): RoundTrip {
  const columns = prices.get(trip.market);
  return columns === undefined ? trip : withExcursions(trip, columns);
}

function byStrategyAndMarket(fills: readonly RecordedFill[]): Iterable<RecordedFill[]> {
  return Map.groupBy(fills, ({ strategy, market }) => `${market} ${strategy}`).values();
}

function marketOf(fill: RecordedFill, markets: ReadonlyMap<string, Market>): Market {
  const market = markets.get(fill.market);
  if (market !== undefined) return market;
  const known = [...markets.keys()].join(', ') || 'none';
  throw new ReportError(
    `Cannot count a fill: its market is ${fill.market}, one of the record's (${known}) is wanted`,
  );
}
