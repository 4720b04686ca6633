/** `1,100,000`: a count whose thousands are set apart. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 row`, `2 rows`: a count with its noun. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
