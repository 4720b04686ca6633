/** Splits the items into lists of `size`, the last one perhaps shorter, one at a time. */
export function* inParts<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let part: T[] = [];
  for (const one of all) {
    part.push(one);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
