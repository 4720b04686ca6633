import { existsSync } from 'node:fs';
import {
  type Booking,
  exchangeOrderIdOf,
  type FinalOrder,
  isDeclaredAbsent,
  isFinal,
  isSameOrder,
  type JournalMemory,
  type OrderState,
  type PendingOrder,
  type TradingState,
} from '../domain/index.ts';
import { DAY_MS, MINUTE_MS } from '../kernel/index.ts';
import type { HeldMarket } from '../ledger/index.ts';
import { type JournalReader, openJournalReader } from '../storage/index.ts';
import { NO_HOLDINGS, readHoldings } from './holdings.ts';

/** What is read of the runs since. */
const RECALLED = ['fill', 'lateFee', 'tradingState'] as const;

/** How long a live order's request, and clocks, may make it look younger than it is. */
const LIVE_MARGIN_MS = MINUTE_MS;
/** How long before the last request orders left that the exchange may have taken twice, unheard of. */
const RECENT_MS = 3 * MINUTE_MS;
/** How much older than a live order one may be that a search for it still finds. */
const SEARCH_MARGIN_MS = 10 * MINUTE_MS;

/** What the earlier runs of a deployment left in its journal. */
export interface Recollection extends JournalMemory {
  /** What was held after all that is not in `bookings`: of days before this one alone. */
  readonly held: readonly HeldMarket[];
  /** The fills since then, and the fees that were told later than theirs, oldest first. */
  readonly bookings: readonly Booking[];
  /** The exchange's ids of the orders that ended lately, filled or not. */
  readonly endedOrderIds: readonly string[];
  /**
   * The orders that left just before the last run ended, as they left, in the order of leaving. None of
   * the terms of one whose fate nobody but a person knows, or that nobody found: should that one rest
   * after all, it is no copy of another.
   */
  readonly recentOrders: readonly PendingOrder[];
  /**
   * Those that ended just before the last run did, as they ended: reads that lag may show them at rest
   * yet. None whose end is a person's word, nor of `guessedOrders`.
   */
  readonly endedOrders: readonly FinalOrder[];
  /** The trading state that a person has not reset yet. */
  readonly trading: { readonly state: TradingState; readonly reason: string };
  /** When a person last reset the trading state; left out where nobody did. */
  readonly resetTime?: number;
}

/** Reads what earlier runs left; undefined where there is no journal. */
export function recall(path: string, nowMs: number): Recollection | undefined {
  if (!existsSync(path)) return undefined;
  const reader = openJournalReader(path);
  try {
    return recollect(reader, nowMs);
  } finally {
    reader.close();
  }
}

/**
 * What a journal says that earlier runs left.
 *
 * Read from the newest snapshot on that is of use: today's losses want the fills since midnight UTC
 * one by one, and a search for a live order those since it left.
 */
export function recollect(reader: JournalReader, nowMs: number): Recollection {
  const memory = reader.memory(nowMs);
  const lastMs = Math.min(nowMs, memory.requestTimes.at(-1) ?? nowMs);
  const oldestMs = Math.min(lastMs, ...memory.liveOrders.map(({ createdTime }) => createdTime));
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const snapshot = reader.snapshot(Math.min(midnightMs, oldestMs - LIVE_MARGIN_MS));
  const past = snapshot === undefined ? NO_HOLDINGS : readHoldings(snapshot.body);
  const bookings: Booking[] = [...past.fills];
  let { trading, resetTime } = past;
  for (const { id: run } of reader.runs()) {
    if (snapshot !== undefined && run < snapshot.run) continue;
    const after = run === snapshot?.run ? snapshot.sequence : 0;
    for (const { event } of reader.events({ run, after, kinds: RECALLED })) {
      if (event.kind === 'fill') bookings.push(event.fill);
      else if (event.kind === 'lateFee') bookings.push(event.lateFee);
      else if (event.kind === 'tradingState') {
        trading = event;
        // Only a person's reset leads back to ACTIVE.
        if (event.state === 'ACTIVE') resetTime = event.time;
      }
    }
  }
  const { state, reason } = trading;
  return {
    ...memory,
    held: past.markets,
    bookings,
    endedOrderIds: reader.endedOrderIds(oldestMs - SEARCH_MARGIN_MS),
    ...lastOrders(reader, { memory, sinceMs: lastMs - RECENT_MS, nowMs }),
    trading: { state, reason },
    ...(resetTime === undefined ? {} : { resetTime }),
  };
}

/** The orders that left since then, those whose run was killed before it wrote them last, or ended. */
function lastOrders(
  reader: JournalReader,
  about: { readonly memory: JournalMemory; readonly sinceMs: number; readonly nowMs: number },
): Pick<Recollection, 'recentOrders' | 'endedOrders'> {
  const { memory, sinceMs, nowMs } = about;
  const left = new Map<string, PendingOrder>();
  const newest = new Map<string, OrderState>();
  for (const order of statesSince(reader, sinceMs)) {
    const { clientOrderId } = order;
    if (order.status === 'pending') left.set(clientOrderId, order);
    newest.set(clientOrderId, order);
  }
  for (const order of memory.liveOrders) {
    if (order.status !== 'pending' || order.createdTime < sinceMs) continue;
    left.set(order.clientOrderId, order);
  }
  const states = [...newest.values()];
  const doubtful = states.filter(isDoubtful);
  const others = [...memory.liveOrders, ...memory.guessedOrders];
  const taken = new Set(others.map(({ clientOrderId }) => clientOrderId));
  return {
    recentOrders: [...left.values()].filter(
      (order) => !doubtful.some((one) => isSameOrder(one, order)),
    ),
    // A date that was ahead would hold against every read that is of now.
    endedOrders: states
      .filter(isFinal)
      .filter((order) => exchangeOrderIdOf(order) !== undefined && order.evidence !== 'person')
      .filter((order) => order.changedTime <= nowMs && !taken.has(order.clientOrderId)),
  };
}

/** What became of orders since then, in the order of all runs. */
function* statesSince(reader: JournalReader, sinceMs: number): Generator<OrderState> {
  const snapshot = reader.snapshot(sinceMs);
  for (const { id: run } of reader.runs()) {
    if (snapshot !== undefined && run < snapshot.run) continue;
    const after = run === snapshot?.run ? snapshot.sequence : 0;
    for (const { event } of reader.events({ run, after, since: sinceMs, kinds: ['order'] })) {
      if (event.kind === 'order') yield event.order;
    }
  }
}

/** Whether what is known of the order is a person's word, or that reads did not find it. */
function isDoubtful(order: OrderState): boolean {
  return order.evidence === 'person' || isDeclaredAbsent(order);
}
