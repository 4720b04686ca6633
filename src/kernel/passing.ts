/**
 * Those of a list that pass; the list itself where all do. Where each order asks, most lists pass
 * whole, and a filtered one takes 184 bytes for an entry that takes 56 where it is written down.
 */
export function passing<T>(list: readonly T[], passes: (one: T) => boolean): readonly T[] {
  return list.every(passes) ? list : list.filter(passes);
}
