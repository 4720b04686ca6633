import { closest, distance } from 'fastest-levenshtein';

/** The known name nearest to a mistyped one, undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name, [...known]);
  return distance(name, candidate) <= Math.max(2, name.length / 3) ? candidate : undefined;
}

/** `, did you mean "x"?` or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = nearest(name, known);
  return candidate === undefined ? '' : `, did you mean "${candidate}"?`;
}
