import { repetitions } from '../../check/repetitions.ts';
import type { Finding } from '../../check/report.ts';
import type { Database } from '../database.ts';
import type { Remark } from '../remark.ts';
import { STAGED } from '../staging/staging.ts';
import { type Joined, SHOWN_BY_CHECK } from './import-findings.ts';

/** The faults of a check in words: one of them, and several. */
const NOUNS: { readonly [fault in string]?: readonly [one: string, many: string] } = {
  duplicate: ['duplicate', 'duplicates'],
  conflict: ['conflict', 'conflicts'],
  disorder: ['row in disorder', 'rows in disorder'],
};

/**
 * A sentence about what `tradewind data check` will find of imported rows that repeat each other or
 * were in disorder: how many, and the first place of each. None if it will find nothing.
 */
export async function repeatedRows(database: Database, joined: Joined): Promise<Remark[]> {
  const { key, kept } = joined;
  const found = [
    ...(await repetitions(database, { kind: key.kind, from: `(FROM ${STAGED} WHERE ${kept})` })),
    ...(await disorder(database, joined)),
  ].map(({ fault, count, places }) => {
    const [one, many] = NOUNS[fault] ?? [fault, fault];
    const place = places[0] === undefined ? '' : ` (the first at ${placeText(places[0], joined)})`;
    return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}${place}`;
  });
  if (found.length === 0) return [];
  const last = found.pop();
  const all = found.length === 0 ? last : `${found.join(', ')} and ${last}`;
  return [{ text: `${joined.name} has ${all}`, hint: SHOWN_BY_CHECK }];
}

function placeText({ time }: { readonly time: number }, { sources }: Joined): string {
  const source = sources.find(({ firstTime, lastTime }) => firstTime <= time && time <= lastTime);
  const name = source === undefined ? '' : ` in ${source.name}`;
  return `${new Date(time).toISOString()}${name}`;
}

/** Rows that stood behind a later one of their file; those of depth keep their order of arrival. */
async function disorder(database: Database, { key, sources }: Joined): Promise<Finding[]> {
  if (key.kind === 'depth') return [];
  const count = sources.reduce((sum, { outOfOrder }) => sum + outOfOrder, 0);
  const file = sources.findIndex(({ outOfOrder }) => outOfOrder > 0);
  if (file < 0) return [];
  const { time } = await database.row(`SELECT arg_min(time, row) AS time FROM
      (SELECT time, row, lag(time) OVER (ORDER BY row) AS before FROM ${STAGED}
        WHERE file = ${file})
    WHERE time < before`);
  // The rows in disorder may be duplicates that were left out.
  const places = time === null ? [] : [{ time: Number(time), detail: '' }];
  return [{ fault: 'disorder', count, places }];
}
