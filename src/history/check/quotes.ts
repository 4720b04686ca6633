import { formatDuration, HOUR_MS } from '../../kernel/index.ts';
import type { Database } from '../store/database.ts';
import { repetitions } from './repetitions.ts';
import type { Finding } from './report.ts';
import { found, rowFindings } from './rows.ts';

/** A quote without one of its sides, whose price is 0. */
const ONE_SIDED = 'least(bid, ask) = 0 AND greatest(bid, ask) > 0';

const CHECKS = [
  {
    fault: 'zero price',
    where: 'least(bid, ask) < 0 OR greatest(bid, ask) = 0',
    shown: { lowest: 'least(bid, ask)' },
  },
  { fault: 'one-sided', where: ONE_SIDED, shown: { bid: 'bid', ask: 'ask' } },
  {
    fault: 'crossed',
    where: 'bid >= ask AND least(bid, ask) > 0',
    shown: { bid: 'bid', ask: 'ask' },
  },
  {
    fault: 'outside',
    where: 'least("bidAmount", "askAmount") < 0',
    shown: { 'lowest amount': 'least("bidAmount", "askAmount")' },
  },
] as const;

/** Faults of best bids and asks. */
export async function quoteFindings(database: Database): Promise<Finding[]> {
  const equal = await repetitions(database, { kind: 'quotes', from: 'rows' });
  return [...equal, ...(await rowFindings(database, CHECKS)), ...(await silences(database))];
}

/** Times without a quote as long as those in the report of a backtest, by the order of rows. */
function silences(database: Database): Promise<Finding[]> {
  return found(database, 'silence', {
    places: `SELECT before AS time, time - before AS ms FROM
      (SELECT time, lag(time) OVER () AS before FROM rows) WHERE time - before >= ${HOUR_MS}`,
    detailOf: ({ ms }) => formatDuration(Number(ms)),
  });
}
