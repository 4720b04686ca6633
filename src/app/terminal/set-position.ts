import type { Adjustment, Position } from '../../domain/index.ts';
import type { Clock, Decimal } from '../../kernel/index.ts';
import { costOf, flatPosition, foldEntry } from '../../ledger/index.ts';
import { AppError } from '../errors.ts';
import { isEmbedded, type OpenJournal, withJournal } from '../journal/books.ts';
import { requireNames } from '../journal/known-names.ts';
import { recollect } from '../past/recall.ts';
import { systemClock } from '../time/system-clock.ts';
import { recordByHand } from './record-by-hand.ts';

/** A person's word on what a strategy holds in a market. */
export interface PositionWord {
  /** The file of the journal. */
  readonly journal: string;
  readonly market: string;
  readonly strategy: string;
  /** Base currency that it holds; negative where it owes that. */
  readonly amount: Decimal;
  /** Price of the difference. Default, if the position shrinks: the average cost of what left. */
  readonly price?: Decimal | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** What a strategy held by its journal, and what it holds by it now. */
export interface SetPosition {
  readonly before: Position;
  readonly after: Position;
}

/**
 * Writes into a journal what a strategy holds, after coins came or went without an order of it. The
 * next start takes that over.
 *
 * @throws {AppError} `journal` where there is none, or no run in it; `usage` where it knows no such
 * strategy or market; `refused` where the word changes nothing, or cannot be taken. @throws
 * {StorageError} when a process uses the journal.
 */
export function setPosition(word: PositionWord): SetPosition {
  const { journal: path, clock = systemClock } = word;
  return recordByHand({ journal: path, clock }, () =>
    withJournal({ path }, (journal) => adjusted(word, { journal, nowMs: clock.now() })),
  );
}

function adjusted(word: PositionWord, { journal, nowMs }: Reading) {
  requireTakenOver(word, journal);
  const { strategy, amount } = word;
  const market = journal.marketOf(word.market);
  const { before, lastMs } = heldBy(word, { journal, nowMs });
  const adjustment: Adjustment = {
    ...{ market: market.id, strategy, before: before.amount, after: amount },
    // Never before the bookings that it follows: the date may have been set back.
    ...{ value: worthOf(word, before), time: Math.max(nowMs, lastMs) },
  };
  const after = foldEntry(before, { entry: adjustment, market });
  return { event: { kind: 'adjustment', ...adjustment } as const, before, after };
}

interface Reading {
  readonly journal: OpenJournal;
  readonly nowMs: number;
}

/** @throws {AppError} where no start takes over what the journal has. */
function requireTakenOver(word: PositionWord, { reader, runs }: OpenJournal): void {
  const newest = runs.findLast(({ isByHand }) => !isByHand);
  if (newest === undefined || !isEmbedded(reader, newest.id)) return;
  throw refusal(word, 'its exchange is embedded, one that outlasts its runs is wanted');
}

/** What a start takes over, and when it was booked last. @throws {AppError} if that is open. */
function heldBy(
  word: PositionWord,
  { journal, nowMs }: Reading,
): { readonly before: Position; readonly lastMs: number } {
  const { held, bookings, liveOrders } = recollect(journal.reader, nowMs);
  const isOfIt = ({ market, strategy }: Pick<PositionWord, 'market' | 'strategy'>) =>
    market === word.market && strategy === word.strategy;
  const live = liveOrders.filter(isOfIt).map(({ clientOrderId }) => clientOrderId);
  if (live.length > 0) {
    const is = `what became of its orders is not on record (${live.join(', ')})`;
    throw refusal(word, `${is}, a start that reads them or \`orders settle\` is wanted first`);
  }
  const kept = held.find(({ market }) => market === word.market)?.ofStrategy.get(word.strategy);
  const entries = bookings.filter(isOfIt);
  if (kept === undefined && entries.length === 0) requireNames(journal, word);
  const market = journal.marketOf(word.market);
  let before = kept ?? flatPosition(market.id);
  for (const entry of entries) before = foldEntry(before, { entry, market });
  return { before, lastMs: entries.at(-1)?.time ?? nowMs };
}

/** The value of the difference. @throws {AppError} if there is none, or its price is not known. */
function worthOf(word: PositionWord, position: Position): Decimal {
  const { amount, price } = word;
  const held = position.amount;
  const change = amount.minus(held);
  if (change.sign === 0)
    throw refusal(word, `the journal has ${held} already, another amount is wanted`);
  if (price !== undefined) return change.times(price);
  const isLess = amount.sign * held.sign >= 0 && amount.abs().compare(held.abs()) < 0;
  if (isLess) return costOf(position, change.negated()).negated();
  throw refusal(
    word,
    `the journal has ${held}, the price of the trade by hand is wanted (--price)`,
  );
}

function refusal({ strategy, market }: PositionWord, why: string): AppError {
  return new AppError('refused', `Cannot set what ${strategy} holds in ${market}: ${why}`);
}
