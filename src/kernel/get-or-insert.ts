/** What a map has of a key; where it has nothing, what is made and kept for it. */
export function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
