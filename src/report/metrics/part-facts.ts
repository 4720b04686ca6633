import { getOrInsert } from '../../kernel/index.ts';
import { inAccount, isClosed, type RoundTrip } from '../trips/round-trip.ts';

/** What one strategy did in one market, by its closed trades; money in the account's currency. */
export interface PartFacts {
  readonly strategy: string;
  readonly market: string;
  /** Closed trades, and those of them with a profit above zero. */
  readonly trades: number;
  readonly wins: number;
  /** Sum of their profits, net of fees. */
  readonly profit: number;
  readonly fees: number;
  /** Trades that were still open. */
  readonly open: number;
}

type Growing = { -readonly [key in keyof PartFacts]: PartFacts[key] };

/** Adds up the trades by strategy and market, sorted by these names. */
export function partFactsOf(trips: Iterable<RoundTrip>): PartFacts[] {
  const parts = new Map<string, Growing>();
  for (const trip of trips) {
    const { strategy, market } = trip;
    const part = getOrInsert(parts, `${strategy} ${market}`, () => ({
      ...{ strategy, market, trades: 0, wins: 0, profit: 0, fees: 0, open: 0 },
    }));
    if (!isClosed(trip)) {
      part.open++;
      continue;
    }
    part.trades++;
    const { profit, fees } = inAccount(trip);
    if (trip.profit > 0) part.wins++;
    part.profit += profit;
    part.fees += fees;
  }
  const name = ({ strategy, market }: PartFacts): string => `${strategy} ${market}`;
  return [...parts.values()].sort((a, b) => (name(a) < name(b) ? -1 : 1));
}

/** The sums of all parts. */
export function partsTotal(
  parts: readonly PartFacts[],
): Pick<PartFacts, 'trades' | 'wins' | 'profit' | 'fees' | 'open'> {
  const sum = (key: 'trades' | 'wins' | 'profit' | 'fees' | 'open'): number =>
    parts.reduce((total, part) => total + part[key], 0);
  return {
    ...{ trades: sum('trades'), wins: sum('wins'), open: sum('open') },
    ...{ profit: sum('profit'), fees: sum('fees') },
  };
}
