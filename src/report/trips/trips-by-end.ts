import { type ClosedTrip, closedTrips, isClosed, type RoundTrip } from './round-trip.ts';

/**
 * The trips in the order in which they ended, those of one time as they come; open ones stay among
 * them. They are gone through twice: kept are those alone that come late, behind one that ended after
 * them.
 */
export function* tripsByEnd(trips: Iterable<RoundTrip>): Generator<RoundTrip> {
  const late = lateOf(trips);
  let latest = Number.NEGATIVE_INFINITY;
  let next = 0;
  for (const trip of trips) {
    if (isClosed(trip)) {
      if (trip.closeTime < latest) continue;
      latest = trip.closeTime;
      // Before each late one comes one that ended after it: none is left over.
      while (next < late.length && late[next]!.closeTime < latest) yield late[next++]!;
    }
    yield trip;
  }
}

/** Those that come behind one that ended after them, by their ends. */
function lateOf(trips: Iterable<RoundTrip>): ClosedTrip[] {
  const late: ClosedTrip[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const trip of closedTrips(trips)) {
    if (trip.closeTime < latest) late.push(trip);
    else latest = trip.closeTime;
  }
  return late.sort((a, b) => a.closeTime - b.closeTime);
}
