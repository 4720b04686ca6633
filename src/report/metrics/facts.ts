import type { Conventions } from '../config.ts';
import { type Curve, CurveMeter } from '../curve-meter.ts';
import type { RunRecord } from '../record.ts';
import type { RoundTrip } from '../trips/round-trip.ts';
import { roundTrips } from '../trips/round-trips.ts';
import { type Costs, costsOf } from './cost-facts.ts';
import { type Exposure, ExposureMeter } from './exposure-facts.ts';
import { type PartFacts, partFactsOf } from './part-facts.ts';
import { type TradeFacts, tradeFactsOf } from './trade-facts.ts';

/** What is measured of the curves of an account. */
interface AccountFacts {
  readonly equity: Curve;
  readonly buyAndHold: Curve | undefined;
  /** The starting balances, left alone; undefined if they are in the quote currency alone. */
  readonly leftAlone: Curve | undefined;
  readonly exposure: Exposure;
}

/** What all metrics of a run are computed from, worked out once. */
export interface Facts extends AccountFacts {
  readonly conventions: Conventions;
  readonly costs: Costs;
  /** Every round trip, as `roundTrips` gives them. */
  readonly trips: Iterable<RoundTrip>;
  readonly trades: TradeFacts;
  /** The same by strategy and market. */
  readonly parts: readonly PartFacts[];
}

/** Works out what a record's metrics are computed from, column by column. */
export function factsOf(record: RunRecord, conventions: Conventions): Facts {
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

/** One pass over the account's curves, which are worked out anew each time. */
function accountFactsOf(
  record: Pick<RunRecord, 'curve' | 'fills' | 'markets'>,
  conventions: Conventions,
): AccountFacts {
  const { curve } = record;
  const [beginning] = curve;
  const equity = new CurveMeter(conventions);
  const buyAndHold = beginning?.buyAndHold && new CurveMeter(conventions);
  const leftAlone = beginning?.leftAlone && new CurveMeter(conventions);
  const exposure = new ExposureMeter(record);
  for (const columns of curve) {
    const { time } = columns;
    equity.add({ time, values: columns.equity });
    buyAndHold?.add({ time, values: columns.buyAndHold! });
    leftAlone?.add({ time, values: columns.leftAlone! });
    exposure.add(columns);
  }
  return {
    ...{ equity: equity.result(), exposure: exposure.result() },
    ...{ buyAndHold: buyAndHold?.result(), leftAlone: leftAlone?.result() },
  };
}
