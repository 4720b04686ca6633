import type { Dataset } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { Gap, ImportedSource } from '../manifest.ts';
import { STAGED } from '../staging/staging.ts';

/** Staged rows of depth, among which rows of gaps may be, as in an export. */
export interface RowsOfDepth {
  /** The files, by their number in the staging table. */
  readonly sources: readonly ImportedSource[];
  /** The dataset as it was. If rows are appended, gaps within its time do not count. */
  readonly before: Dataset | undefined;
  readonly isAppended: boolean;
}

/** The gaps that staged rows of depth tell of, each until the next whole book, in their order. */
export async function gapsOfRows(
  database: Database,
  { sources, before, isAppended }: RowsOfDepth,
): Promise<Gap[]> {
  const { gap, snapshot } = DEPTH_EVENTS;
  const rows = await database.rows(`SELECT file, time, until FROM (SELECT file, time, event,
      lag(event) OVER (ORDER BY file, row) AS previous,
      coalesce(lead(if(event = ${snapshot}, time, NULL) IGNORE NULLS) OVER (ORDER BY file, row),
        last) AS until
    FROM (SELECT file, row, time, event, max(time) OVER () AS last FROM ${STAGED})
    WHERE event IN (${snapshot}, ${gap}))
    WHERE event = ${gap} AND previous IS DISTINCT FROM ${gap} ORDER BY time`);
  const gaps = rows.map(({ file, time, until }) => ({
    ...{ from: Number(time), to: Math.max(Number(time), Number(until)) },
    reason: `${sources[Number(file)]!.name} tells of it`,
  }));
  if (before === undefined || !isAppended) return gaps;
  const { firstTime, lastTime } = before;
  return gaps.filter(({ from }) => from < firstTime || from > lastTime);
}
