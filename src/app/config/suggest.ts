import { closest, distance } from 'fastest-levenshtein';

/** Letters from which on the beginning of one known name alone is taken for that name. */
const SHORTENED_LEAST = 3;

/** The known name nearest to a mistyped or shortened one, undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const [longer, ...others] = new Set(known.filter((one) => one.startsWith(name)));
  if (longer !== undefined && others.length === 0 && name.length >= SHORTENED_LEAST) return longer;
  const candidate = closest(name, [...known]);
  return distance(name, candidate) <= Math.max(2, name.length / 3) ? candidate : undefined;
}

/** `, did you mean "x"?` or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = nearest(name, known);
  return candidate === undefined ? '' : `, did you mean "${candidate}"?`;
}
