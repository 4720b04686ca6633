/** The class that colours a gain or a loss; nothing for neither. */
export function signClass(value: number | undefined): string {
  if (value === undefined || value === 0 || Number.isNaN(value)) return '';
  return value > 0 ? 'gain' : 'loss';
}

/**
 * A number in a column of which others have more decimal places: spaces as wide as a digit or a
 * point fill up the rest, so that the points stand below each other.
 */
export function padded(text: string, { places, most }: { places: number; most: number }): string {
  if (places >= most) return text;
  const point = places === 0 ? '\u2008' : '';
  return text + point + '\u2007'.repeat(most - places);
}
