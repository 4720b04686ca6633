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
  /** Whether an embedded exchange ended with it: nobody holds that any more. */
  readonly isGone: boolean;
}

export interface JournalTrades {
  /** The closed ones in the order in which they ended. */
  readonly closed: readonly ClosedTrip[];
  /** The open ones, the oldest first, whenever they were opened. */
  readonly open: readonly OpenTrade[];
  /** What a person set meanwhile, the oldest first: a part of trades that no order traded. */
  readonly adjustments: readonly RunAdjustment[];
}

/** What a person set, and in which run of the journal. */
export interface RunAdjustment extends Adjustment {
  readonly run: number;
}

/**
 * The round trips that the fills of a journal make, as a backtest's are made: over all runs on one
 * account, those on an embedded exchange each by itself.
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

/** The round trips of one account as they are known, each with the run of its last fill. */
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
  // Gone through once: the fills are followed as their trips are made.
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
