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
import { type JournalChoice, type OpenJournal, openBooks } from './books.ts';
import { requireNames } from './known-names.ts';

/** Which events of a journal are asked for. What is left out does not narrow them. */
export interface EventChoice extends JournalChoice {
  /** Default: all but market data and timers. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** An order, by our id of it or by the exchange's. */
  readonly order?: string | undefined;
  /** At most this many, the newest. Default: all. */
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
 * The events of a journal, the oldest first. Without `last` they are read one by one: the events of
 * some days do not fit in memory.
 *
 * @throws {AppError} while iterating: `journal` where there is none, it has no run, or none of that
 * number; `usage` where it knows no strategy, market or order of the name that is asked for.
 */
export function* journalEvents(choice: EventChoice): Generator<RunEvent> {
  const journal = openBooks(choice);
  try {
    let isEmpty = true;
    const { order } = choice;
    const ids = order === undefined ? undefined : orderIds(journal.reader, order);
    for (const event of searched({ journal, choice, ids })) {
      isEmpty = false;
      yield event;
    }
    if (isEmpty) requireNames(journal, choice);
    if (isEmpty) requireOrder(journal, choice);
  } finally {
    journal.reader.close();
  }
}

interface Search {
  readonly journal: OpenJournal;
  readonly choice: EventChoice;
  /** The ids of the order that is asked for. */
  readonly ids: ReadonlySet<string> | undefined;
}

function* searched(search: Search): Generator<RunEvent> {
  const { journal, choice } = search;
  const runs = journal.runs.map(({ id }) => id).filter((id) => id === (choice.run ?? id));
  if (choice.last === undefined) for (const run of runs) yield* eventsOf(search, { run });
  else yield* newestOf(search, { runs, last: choice.last });
}

function newestOf(
  search: Search,
  { runs, last }: { readonly runs: readonly number[]; readonly last: number },
): RunEvent[] {
  let found: RunEvent[] = [];
  for (const run of runs.toReversed()) {
    if (found.length >= last) break;
    found = [...newestOfRun(search, { run, last: last - found.length }), ...found];
  }
  return found;
}

function newestOfRun(
  search: Search,
  { run, last }: { readonly run: number; readonly last: number },
): RunEvent[] {
  let events: RunEvent[] = [];
  for (const windowMs of WINDOWS_MS) {
    const first = search.journal.reader.tail(run, windowMs)?.first ?? 1;
    events = [];
    for (const event of eventsOf(search, { run, after: first - 1 })) {
      events.push(event);
      if (events.length >= 2 * last) events = events.slice(-last);
    }
    if (events.length >= last || first === 1) break;
  }
  return events.slice(-last);
}

function* eventsOf(
  { journal, choice, ids }: Search,
  place: { readonly run: number; readonly after?: number },
): Generator<RunEvent> {
  const query = { ...queryOf(choice), ...place, texts: ids && [...ids] };
  for (const entry of journal.reader.events(query)) {
    if (isAbout(entry.event, { strategy: choice.strategy, ids }))
      yield { run: place.run, ...entry };
  }
}

function queryOf({ kinds = TOLD_KINDS, market, from, to }: EventChoice): EventQuery {
  return { kinds, market, since: from, until: to };
}

/** Whether an event is about the strategy and the order that are asked for, if any. */
function isAbout(
  event: TradingEvent,
  { strategy, ids }: { readonly strategy: string | undefined; readonly ids: Search['ids'] },
): boolean {
  const { strategies, orders } = namesIn(event);
  if (strategy !== undefined && !strategies.includes(strategy)) return false;
  return ids === undefined || orders.some((id) => id !== undefined && ids.has(id));
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

/** The strategies and orders that an event is about. */
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
