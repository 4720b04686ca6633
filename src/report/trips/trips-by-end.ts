import { type ClosedTrip, closedTrips, isClosed, type RoundTrip } from './round-trip.ts';

/**
 * The trips in the order in which they ended, those of one time as they come; open ones stay among
 * them. Iterates the trips twice, and holds only the late ones: those that come after a trip that
 * ended later.
 */
export function* tripsByEnd(trips: Iterable<RoundTrip>): Generator<RoundTrip> {
  const late = lateOf(trips);
  let latest = Number.NEGATIVE_INFINITY;
  let next = 0;
  for (const trip of trips) {
    if (isClosed(trip)) {
      if (trip.closeTime < latest) continue;
      latest = trip.closeTime;
      // Each late one comes after one that ended later than it: none is left over.
      while (next < late.length && late[next]!.closeTime < latest) yield late[next++]!;
    }
    yield trip;
  }
}

/** The trips that come after one that ended later, sorted by their ends. */
function lateOf(trips: Iterable<RoundTrip>): ClosedTrip[] {
  const late: ClosedTrip[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const trip of closedTrips(trips)) {
    if (trip.closeTime < latest) late.push(trip);
    else latest = trip.closeTime;
  }
  return late.sort((a, b) => a.closeTime - b.closeTime);
}
