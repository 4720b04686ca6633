import { type Conventions, conventionsOf } from '../config.ts';
import type { RunRecord } from '../record.ts';
import type { RoundTrip } from '../trips/round-trip.ts';
import { roundTrips } from '../trips/round-trips.ts';
import { type AccountFacts, accountFactsOf } from './account-facts.ts';
import { type Costs, costsOf } from './cost-facts.ts';
import { type PartFacts, partFactsOf } from './part-facts.ts';
import { type TradeFacts, tradeFactsOf } from './trade-facts.ts';

/** What all metrics of a run are taken from, worked out once. */
export interface Facts extends AccountFacts {
  readonly conventions: Conventions;
  readonly costs: Costs;
  /** Every round trip in the order in which they ended, the open ones last; worked out anew each time. */
  readonly trips: Iterable<RoundTrip>;
  readonly trades: TradeFacts;
  /** The same by strategy and market. */
  readonly parts: readonly PartFacts[];
}

/** Works out what a record's metrics are taken from, column by column. */
export function factsOf(record: RunRecord, conventions: Conventions = conventionsOf()): Facts {
  const trips = roundTrips(record);
  return {
    conventions,
    ...accountFactsOf(record, conventions),
    costs: costsOf(record),
    trips,
    trades: tradeFactsOf(trips),
    parts: partFactsOf(trips),
  };
}
