/** A number as print sets it: a true minus, and no break between digits and unit. */
export function typographic(text: string): string {
  return text.replace(/-(?=\d)/g, '−').replaceAll(' ', ' ');
}

/** The class that colours a gain or a loss; nothing for neither. */
export function signClass(value: number | undefined): string {
  if (value === undefined || value === 0) return '';
  return value > 0 ? 'gain' : 'loss';
}
