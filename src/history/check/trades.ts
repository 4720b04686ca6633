import type { Database } from '../store/database.ts';
import { type Finding, finding } from './report.ts';
import { duplicates, placesOf, rowFindings } from './rows.ts';

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
  const { ids } = await database.row('SELECT count(id) AS ids FROM rows');
  const byId = Number(ids) === 0 ? [] : await idFindings(database);
  return [...byId, ...(await rowFindings(database, CHECKS))];
}

async function idFindings(database: Database): Promise<Finding[]> {
  return [...(await missingIds(database)), ...(await tradeRepetitions(database))];
}

/** Trades that have the id of another, and the same values or others. */
export async function tradeRepetitions(database: Database): Promise<Finding[]> {
  const twice = `SELECT min(time) AS time, id, count(*) AS n FROM
    (SELECT DISTINCT time, id, price, amount, side FROM rows) GROUP BY id HAVING n > 1`;
  const { count } = await database.row(`SELECT coalesce(sum(n - 1), 0) AS count FROM (${twice})`);
  const detail = "'id ' || id || ' with other values'";
  const places = await placesOf(database, `SELECT time, ${detail} AS detail FROM (${twice})`);
  const equal = await duplicates(database, ['time', 'id', 'price', 'amount', 'side']);
  return [...equal, ...finding('conflict', count, places)];
}

/** Trades whose ids are missing, where ids count up by one. */
async function missingIds(database: Database): Promise<Finding[]> {
  const jumps = `SELECT time, id, number - before - 1 AS missing FROM
    (SELECT time, id, number, lag(number) OVER (ORDER BY number) AS before FROM
      (SELECT min(time) AS time, any_value(id) AS id, TRY_CAST(id AS BIGINT) AS number FROM rows
        GROUP BY number))
    WHERE number - before > 1`;
  const { count, places: n } = await database.row(
    `SELECT coalesce(sum(missing), 0) AS count, count(*) AS places FROM (${jumps})`,
  );
  const { rows } = await database.row(
    'SELECT count(*) AS rows FROM rows WHERE TRY_CAST(id AS BIGINT) IS NOT NULL',
  );
  const least = Number(rows) < ONE_JUMP_AMONG ? 0 : 1;
  if (Number(n) > Math.max(least, JUMPS_MAX * Number(rows))) return [];
  const detail = "missing || ' ids before ' || id";
  const places = await placesOf(database, `SELECT time, ${detail} AS detail FROM (${jumps})`);
  return finding('gap', count, places);
}
