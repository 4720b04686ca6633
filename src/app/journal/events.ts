import type { EventKind, TradingEvent } from '../../domain/index.ts';
import { HOUR_MS } from '../../kernel/index.ts';
import {
  EVENT_KINDS,
  type EventQuery,
  type JournalEntry,
  type JournalReader,
  MARKET_DATA_KINDS,
} from '../../storage/index.ts';
import { AppError } from '../errors.ts';
import { type JournalChoice, type OpenJournal, withJournal } from './books.ts';
import { requireNames } from './known-names.ts';

/** Which events of a journal. What is left out does not narrow. */
export interface EventChoice extends JournalChoice {
  /** Default: all but market data and timers. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** An order, by our id of it or by the exchange's. */
  readonly order?: string | undefined;
  /** The newest of them, at most. Default: all. */
  readonly last?: number | undefined;
}

/** An event with its place: the run and the number in it, from 1. */
export interface RunEvent extends JournalEntry {
  readonly run: number;
}

const MARKET_DATA: ReadonlySet<EventKind> = new Set(MARKET_DATA_KINDS);

/** Kinds that are shown where none is asked for: what was decided and done, and what went wrong. */
const TOLD_KINDS = EVENT_KINDS.filter((kind) => kind !== 'timer' && !MARKET_DATA.has(kind));

/** The newest hour of a run is looked through first: a run of days takes longer. */
const WINDOWS_MS = [HOUR_MS, Number.POSITIVE_INFINITY];

/**
 * The events of a journal, the oldest first.
 *
 * @throws {AppError} `journal` where there is none, it has no run, or none of that number; `usage`
 * where it knows no strategy, market or order of the name that is asked for.
 */
export function journalEvents(choice: EventChoice): readonly RunEvent[] {
  return withJournal(choice, (journal) => {
    const { run, last = Number.POSITIVE_INFINITY } = choice;
    const isWanted = filterOf(journal, choice);
    const found: RunEvent[][] = [];
    let count = 0;
    for (const { id } of journal.runs.toReversed()) {
      if (id !== (run ?? id) || count >= last) continue;
      const events = newestOf(journal.reader, { choice, run: id, isWanted, last: last - count });
      count += events.length;
      found.push(events);
    }
    if (count === 0) requireNames(journal, choice);
    if (count === 0) requireOrder(journal, choice);
    return found.toReversed().flat();
  });
}

interface Search {
  readonly choice: EventChoice;
  readonly run: number;
  readonly isWanted: (event: TradingEvent) => boolean;
  readonly last: number;
}

function newestOf(reader: JournalReader, { choice, run, isWanted, last }: Search): RunEvent[] {
  let events: RunEvent[] = [];
  for (const windowMs of Number.isFinite(last) ? WINDOWS_MS : WINDOWS_MS.slice(-1)) {
    const first = reader.tail(run, windowMs)?.first ?? 1;
    events = [];
    for (const entry of reader.events({ ...queryOf(choice), run, after: first - 1 })) {
      if (isWanted(entry.event)) events.push({ run, ...entry });
      if (events.length >= 2 * last) events = events.slice(-last);
    }
    if (events.length >= last || first === 1) break;
  }
  return Number.isFinite(last) ? events.slice(-last) : events;
}

function queryOf({ kinds = TOLD_KINDS, market, from, to }: EventChoice): EventQuery {
  return {
    kinds,
    ...(market !== undefined && { market }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}

function filterOf(
  { reader }: OpenJournal,
  { strategy, order }: EventChoice,
): (event: TradingEvent) => boolean {
  const ids = order === undefined ? undefined : orderIds(reader, order);
  return (event) => {
    const { strategies, orders } = namesIn(event);
    if (strategy !== undefined && !strategies.includes(strategy)) return false;
    return ids === undefined || orders.some((id) => id !== undefined && ids.has(id));
  };
}

/** Our id of an order and the exchange's, as far as they are known. */
function orderIds(reader: JournalReader, order: string): Set<string> {
  const clientOrderId = reader.ownerOf(order) ?? order;
  const exchangeOrderId = reader.order(clientOrderId)?.exchangeOrderId ?? order;
  return new Set([order, clientOrderId, exchangeOrderId]);
}

function requireOrder({ reader, path }: OpenJournal, { order }: EventChoice): void {
  if (order === undefined || reader.order(reader.ownerOf(order) ?? order) !== undefined) return;
  const message = `Cannot show the order "${order}" in ${path}: it knows none of that id`;
  throw new AppError('usage', `${message}, the client's or the exchange's is wanted`);
}

/** Of which strategies and orders an event tells. */
function namesIn(event: TradingEvent): {
  readonly strategies: readonly string[];
  readonly orders: readonly (string | undefined)[];
} {
  switch (event.kind) {
    case 'order':
      return of(event.order);
    case 'fill':
      return of(event.fill);
    case 'lateFee':
      return of(event.lateFee);
    case 'orderPush':
      return { strategies: [], orders: [event.order.exchangeOrderId] };
    default:
      return { strategies: 'strategy' in event ? [event.strategy] : [], orders: [] };
  }
}

interface Named {
  readonly strategy: string;
  readonly clientOrderId: string;
  readonly exchangeOrderId?: string | undefined;
}

function of({ strategy, clientOrderId, exchangeOrderId }: Named) {
  return { strategies: [strategy], orders: [clientOrderId, exchangeOrderId] };
}
