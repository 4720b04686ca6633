import { DAY_MS, Decimal } from '../../kernel/index.ts';
import { type RoundTrip, tradeFields } from '../../report/index.ts';
import { addTo, type Earned, type Sums } from './accounts.ts';
import { journalTrades, type TradeChoice } from './trades.ts';

/** Trades that closed on a day, in one quote currency. Exact sums of what each trade says. */
export interface JournalDay extends Earned {
  /** Midnight UTC that it begins with, milliseconds since the epoch. */
  readonly day: number;
  /** Trades that closed. */
  readonly trades: number;
  /** The profit of this day and of all listed days before it. */
  readonly sum: Decimal;
}

/** What trades that are open still have earned so far, in one quote currency. */
export interface OpenSum extends Earned {
  readonly trades: number;
}

export interface JournalDays {
  /** The oldest first; days without a trade are left out. */
  readonly days: readonly JournalDay[];
  readonly open: readonly OpenSum[];
  /** How many open trades are left out of `open`: they are gone with an embedded exchange. */
  readonly gone: number;
}

/**
 * The trades of a journal added up by the UTC day on which they closed. If a run is asked for,
 * trades open at its end count as open even if their exchange is gone. @throws as `journalTrades`.
 */
export function journalDays(choice: TradeChoice): JournalDays {
  const { closed, open } = journalTrades(choice);
  const running = new Map<string, Decimal>();
  const days: JournalDay[] = [];
  for (const [day, trips] of Map.groupBy(closed, ({ closeTime }) => midnightOf(closeTime))) {
    for (const one of sumsOf(trips)) {
      const sum = (running.get(one.currency) ?? Decimal.ZERO).plus(one.profit);
      running.set(one.currency, sum);
      days.push({ day, ...one, sum });
    }
  }
  const here = open.filter(({ isGone }) => choice.run !== undefined || !isGone);
  const gone = open.length - here.length;
  return { days, open: sumsOf(here.map(({ trip }) => trip)), gone };
}

const midnightOf = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

function sumsOf(trips: readonly RoundTrip[]): OpenSum[] {
  const sums: Sums = new Map();
  const counts = new Map<string, number>();
  for (const { currency, profit, fees } of trips.map(earnedBy)) {
    addTo(sums, { currency, profit, fees });
    counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return Array.from(sums, ([currency, sum]) => {
    return { currency, trades: counts.get(currency)!, ...sum };
  });
}

/** As `trades.csv` has it. */
function earnedBy(trip: RoundTrip): Earned {
  const { currency, profit, fees } = tradeFields(trip);
  return { currency: `${currency}`, profit: Decimal.of(profit!), fees: Decimal.of(fees!) };
}
