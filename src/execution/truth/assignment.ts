/**
 * Assigns to each one at most one of its candidates, and each candidate to at most one, so that as
 * many as possible get one. Earlier ones, and earlier candidates, are preferred.
 */
export function assign<One, Candidate>(
  ones: readonly One[],
  candidatesOf: (one: One) => readonly Candidate[],
): ReadonlyMap<One, Candidate> {
  const candidates = new Map(ones.map((one) => [one, candidatesOf(one)]));
  const owners = new Map<Candidate, One>();
  for (const one of ones) findRoom(one, { candidates, owners, tried: new Set() });
  return new Map([...owners].map(([candidate, one]) => [one, candidate]));
}

interface Rooms<One, Candidate> {
  readonly candidates: ReadonlyMap<One, readonly Candidate[]>;
  readonly owners: Map<Candidate, One>;
  readonly tried: Set<Candidate>;
}

/** Whether a candidate was found that is free, or whose owner could take another one. */
function findRoom<One, Candidate>(one: One, rooms: Rooms<One, Candidate>): boolean {
  const { candidates, owners, tried } = rooms;
  for (const candidate of candidates.get(one)!) {
    if (tried.has(candidate)) continue;
    tried.add(candidate);
    const owner = owners.get(candidate);
    if (owner !== undefined && !findRoom(owner, rooms)) continue;
    owners.set(candidate, one);
    return true;
  }
  return false;
}
