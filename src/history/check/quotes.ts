import type { Database } from '../store/database.ts';
import { COLUMNS } from '../store/kinds.ts';
import type { Finding } from './report.ts';
import { duplicates, rowFindings } from './rows.ts';

const CHECKS = [
  { fault: 'zero price', where: 'least(bid, ask) <= 0', shown: { lowest: 'least(bid, ask)' } },
  { fault: 'crossed', where: 'bid >= ask', shown: { bid: 'bid', ask: 'ask' } },
  {
    fault: 'outside',
    where: 'least("bidAmount", "askAmount") < 0',
    shown: { 'lowest amount': 'least("bidAmount", "askAmount")' },
  },
] as const;

/** Faults of best bids and asks. */
export async function quoteFindings(database: Database): Promise<Finding[]> {
  const equal = await quoteRepetitions(database);
  return [...equal, ...(await rowFindings(database, CHECKS))];
}

/** Quotes that are equal. */
export function quoteRepetitions(database: Database): Promise<Finding[]> {
  return duplicates(database, COLUMNS.quotes);
}
