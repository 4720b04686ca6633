import type { Database } from '../store/database.ts';
import { repetitions } from './repetitions.ts';
import type { Finding } from './report.ts';
import { found, type Row, rowFindings } from './rows.ts';

const CHECKS = [
  { fault: 'zero price', where: 'price <= 0', shown: { price: 'price' } },
  { fault: 'outside', where: 'amount <= 0', shown: { amount: 'amount' } },
] as const;

/**
 * The condition for an impossible trade. One without an amount may have been, and fills nothing.
 */
export const IMPOSSIBLE_TRADE = 'price <= 0 OR amount < 0';

/** Highest share of jumps in ids that are counted up by one. */
const JUMPS_MAX = 0.01;
/** Fewest trades among which a single jump is reported, whatever its share. */
const ONE_JUMP_AMONG = 10;

/** Faults of trades. Two equal ones without ids may both have happened and are not reported. */
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
