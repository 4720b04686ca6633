/** A moment for people, such as `2024-01-31 10:00`: seconds and finer only if not zero. */
export function momentText(timeMs: number): string {
  const text = new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '');
  return text.replace(/(:00)?\.000$/, '').replace(/ 00:00$/, '');
}
