import type { Database } from '../store/database.ts';
import { repetitions } from './repetitions.ts';
import type { Finding } from './report.ts';
import { found, type Row, rowFindings } from './rows.ts';

const CHECKS = [
  { fault: 'zero price', where: 'price <= 0', shown: { price: 'price' } },
  { fault: 'outside', where: 'amount <= 0', shown: { amount: 'amount' } },
] as const;

/** Whether a trade can't be, as a condition: one of no amount may have been, and fills nothing. */
export const IMPOSSIBLE_TRADE = 'price <= 0 OR amount < 0';

/** Above this share of ids that do not follow each other they are not counted up by one. */
const JUMPS_MAX = 0.01;
/** Trades among which a single one is told all the same. */
const ONE_JUMP_AMONG = 10;

/** Faults of trades: without ids two equal ones may both have happened, and are not told. */
export async function tradeFindings(database: Database): Promise<Finding[]> {
  return [
    ...(await missingIds(database)),
    ...(await repetitions(database, { kind: 'trades', from: 'rows' })),
    ...(await rowFindings(database, CHECKS)),
  ];
}

/** Trades whose ids are missing, where ids count up by one. */
async function missingIds(database: Database): Promise<Finding[]> {
  const jumps = `SELECT time, id, number - before - 1 AS missing FROM
    (SELECT time, id, number, lag(number) OVER (ORDER BY number) AS before FROM
      (SELECT min(time) AS time, any_value(id) AS id, TRY_CAST(id AS BIGINT) AS number FROM rows
        GROUP BY number))
    WHERE number - before > 1`;
  const { n, rows } = await database.row(`SELECT (SELECT count(*) FROM (${jumps})) AS n,
    (SELECT count(*) FROM rows WHERE TRY_CAST(id AS BIGINT) IS NOT NULL) AS rows`);
  const least = Number(rows) < ONE_JUMP_AMONG ? 0 : 1;
  if (Number(n) === 0 || Number(n) > Math.max(least, JUMPS_MAX * Number(rows))) return [];
  const detailOf = ({ missing, id }: Row): string => `${missing} ids before ${id}`;
  return found(database, 'gap', { places: jumps, each: 'missing', detailOf });
}
