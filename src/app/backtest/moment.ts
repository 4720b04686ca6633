const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/;

/** A moment in UTC, such as `2024-01-31` or `2024-01-31T10:00Z`; undefined when it is none. */
export function readMoment(text: string | undefined): number | undefined {
  const [, day, time = '00:00'] = MOMENT.exec(text ?? '') ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** A moment for people: `2024-01-31 10:00`, with what is finer where there is any. */
export function momentText(timeMs: number): string {
  const text = new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '');
  return text.replace(/(:00)?\.000$/, '').replace(/ 00:00$/, '');
}
