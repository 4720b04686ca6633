/** `1 row`, `2 rows`: a count with its noun. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
