/** A moment for people: `2024-01-31 10:00`, with what is finer where there is any. */
export function momentText(timeMs: number): string {
  const text = new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '');
  return text.replace(/(:00)?\.000$/, '').replace(/ 00:00$/, '');
}
