import type { Adjustment, Position } from '../../domain/index.ts';
import { type ClosedTrip, isClosed, type RoundTrip, roundTrips } from '../../report/index.ts';
import { writerOf } from '../../storage/index.ts';
import { Accounts } from './accounts.ts';
import { type Book, booksOf, type JournalChoice, type OpenJournal, withJournal } from './books.ts';
import { type JournalFill, JournalFills } from './fills.ts';
import { requireNames } from './known-names.ts';

/**
 * Which trades of a journal: those that closed in the run and in the time, and what was open at the
 * end of the run.
 */
export type TradeChoice = JournalChoice;

/** A trade that is under way. */
export interface OpenTrade {
  readonly trip: RoundTrip;
  /** The run of its last fill. */
  readonly run: number;
  /** What is held by its strategy in its market, exact. */
  readonly held: Position;
  /** Whether it is gone with an embedded exchange: nobody holds it any more. */
  readonly isGone: boolean;
}

export interface JournalTrades {
  /** The closed ones in the order in which they ended. */
  readonly closed: readonly ClosedTrip[];
  /** The open ones, the oldest first, whenever they were opened. */
  readonly open: readonly OpenTrade[];
  /** What a person set, the oldest first: a part of trades that no order traded. */
  readonly adjustments: readonly RunAdjustment[];
}

/** What a person set, and in which run of the journal. */
export interface RunAdjustment extends Adjustment {
  readonly run: number;
}

/**
 * The round trips in a journal's fills, formed as in a backtest: over all runs on one account, but
 * for each run on an embedded exchange by itself.
 *
 * @throws {AppError} `journal` where there is none, it has no run, or none of that number; `usage`
 * where it knows no strategy or market of the name that is asked for.
 */
export function journalTrades(choice: TradeChoice): JournalTrades {
  return withJournal(choice, (journal) => {
    const closed: ClosedTrip[] = [];
    const open: OpenTrade[] = [];
    for (const book of booksOf(journal)) {
      if (!isIn(book, choice.run)) continue;
      const isGone = book.isEmbedded && !isRunning(journal, book);
      const fills = new JournalFills(journal, book.runs);
      const all = [...tradesOf(journal, fills)].filter(({ trip }) => isOfInterest(trip, choice));
      for (const { trip, run } of all) {
        if (!isClosed(trip) || !isWithin(trip.closeTime, choice)) continue;
        if (run === (choice.run ?? run)) closed.push(trip);
      }
      const then = choice.run === undefined ? all : tradesOf(journal, fills, choice.run);
      for (const trade of then) {
        const { trip } = trade;
        if (!isClosed(trip) && isOfInterest(trip, choice)) open.push({ ...trade, isGone });
      }
    }
    if (closed.length + open.length === 0) requireNames(journal, choice);
    return {
      closed: closed.sort((a, b) => a.closeTime - b.closeTime),
      open: open.sort((a, b) => a.trip.openTime - b.trip.openTime),
      adjustments: adjustmentsIn(journal, choice),
    };
  });
}

function isRunning({ path, runs }: OpenJournal, book: Book): boolean {
  const [newest] = book.runs.slice(-1);
  return newest === runs.at(-1) && newest?.ended === undefined && writerOf(path) !== undefined;
}

function isIn({ runs }: Book, run: number | undefined): boolean {
  return run === undefined || runs.some(({ id }) => id === run);
}

/** The round trips of one account, each with the run of its last fill and what was held then. */
function* tradesOf(
  journal: OpenJournal,
  fills: JournalFills,
  lastRun = Number.POSITIVE_INFINITY,
): Generator<Omit<OpenTrade, 'isGone'>> {
  const accounts = new Accounts(journal);
  const newest = new Map<string, number>();
  const keyOf = ({ market, strategy }: Pick<RoundTrip, 'market' | 'strategy'>): string =>
    `${market} ${strategy}`;
  function* followed(): Generator<JournalFill> {
    for (const fill of fills.upTo(lastRun)) {
      accounts.add(fill);
      newest.set(keyOf(fill), fill.run);
      yield fill;
    }
  }
  // Read once: what is held follows the fills while trips are formed from them.
  const record = { fills: followed(), markets: fills.markets, passed: new Map() };
  for (const trip of roundTrips(record)) {
    yield { trip, run: newest.get(keyOf(trip))!, held: accounts.position(trip) };
  }
}

function adjustmentsIn({ reader, runs }: OpenJournal, choice: TradeChoice): RunAdjustment[] {
  const byHand = runs.filter(({ id, isByHand }) => isByHand && id === (choice.run ?? id));
  return byHand.flatMap(({ id: run }) =>
    Array.from(reader.events({ run, kinds: ['adjustment'] }), ({ event }) => event)
      .filter((event) => event.kind === 'adjustment')
      .filter((event) => isOfInterest(event, choice) && isWithin(event.time, choice))
      .map((event) => ({ ...event, run })),
  );
}

function isOfInterest(
  one: Pick<RoundTrip, 'strategy' | 'market'>,
  { strategy, market }: TradeChoice,
): boolean {
  return (strategy ?? one.strategy) === one.strategy && (market ?? one.market) === one.market;
}

function isWithin(time: number, { from, to }: TradeChoice): boolean {
  return time >= (from ?? time) && (to === undefined || time < to);
}
