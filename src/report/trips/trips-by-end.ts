import { type ClosedTrip, isClosed, type RoundTrip } from './round-trip.ts';

/**
 * The trips in the order in which they ended, those of one time as they come; open ones stay among
 * them. They are gone through once here, and again each time that the result is: kept are those
 * alone that come late, behind one that ended after them.
 */
export function tripsByEnd(trips: Iterable<RoundTrip>): Iterable<RoundTrip> {
  const late = lateOf(trips);
  return { [Symbol.iterator]: () => merged(trips, late) };
}

/** By their ends. */
function lateOf(trips: Iterable<RoundTrip>): ClosedTrip[] {
  const late: ClosedTrip[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const trip of trips) {
    if (!isClosed(trip)) continue;
    if (trip.closeTime < latest) late.push(trip);
    else latest = trip.closeTime;
  }
  return late.sort((a, b) => a.closeTime - b.closeTime);
}

/** Before each late one comes one that ended after it: none is left over. */
function* merged(trips: Iterable<RoundTrip>, late: readonly ClosedTrip[]): Generator<RoundTrip> {
  let latest = Number.NEGATIVE_INFINITY;
  let next = 0;
  for (const trip of trips) {
    if (isClosed(trip)) {
      if (trip.closeTime < latest) continue;
      latest = trip.closeTime;
      while (next < late.length && late[next]!.closeTime < latest) yield late[next++]!;
    }
    yield trip;
  }
}
