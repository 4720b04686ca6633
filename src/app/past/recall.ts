import type { JournalMemory, PositionEntry, TradingState } from '../../domain/index.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/index.ts';
import type { HeldMarket } from '../../ledger/index.ts';
import { type JournalReader, RECALLED_KINDS, readFrom } from '../../storage/index.ts';
import { NO_HOLDINGS, readHoldings } from './holdings.ts';
import { type LastOrders, lastOrders } from './last-orders.ts';

/** By how much requests and clocks may make a live order look younger than it is. */
const LIVE_MARGIN_MS = MINUTE_MS;
/** By how much an order may be older than a live order and still turn up in a search for that. */
const SEARCH_MARGIN_MS = 10 * MINUTE_MS;

/** What the earlier runs of a deployment left in its journal. */
export interface Recollection extends JournalMemory, LastOrders {
  /** What the bookings before `bookings` came to, by the snapshot of an earlier day. */
  readonly held: readonly HeldMarket[];
  /** The fills since then, late fees and adjustments by a person, oldest first. */
  readonly bookings: readonly PositionEntry[];
  /** The exchange's ids of orders that ended recently, filled or not. */
  readonly endedOrderIds: readonly string[];
  /** The trading state that a person has not reset yet. */
  readonly trading: { readonly state: TradingState; readonly reason: string };
  /** When a person last reset the trading state; undefined where nobody did. */
  readonly resetTime?: number | undefined;
}

/** Reads what earlier runs left in the journal at a path. */
export function recall(path: string, nowMs: number): Recollection {
  return readFrom(path, (reader) => recollect(reader, nowMs));
}

/**
 * Reads from a journal what earlier runs left.
 *
 * It begins with the newest snapshot that is old enough: today's losses need each fill since
 * midnight UTC, and a search for a live order needs each fill since that order left.
 */
export function recollect(reader: JournalReader, nowMs: number): Recollection {
  const memory = reader.memory(nowMs);
  const lastMs = Math.min(nowMs, memory.requestTimes.at(-1) ?? nowMs);
  const oldestMs = Math.min(lastMs, ...memory.liveOrders.map(({ createdTime }) => createdTime));
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const snapshot = reader.snapshot(Math.min(midnightMs, oldestMs - LIVE_MARGIN_MS));
  const past =
    snapshot === undefined ? NO_HOLDINGS : reader.legible(() => readHoldings(snapshot.body));
  const bookings: PositionEntry[] = [...past.fills];
  let { trading, resetTime } = past;
  for (const { id: run } of reader.runs()) {
    if (snapshot !== undefined && run < snapshot.run) continue;
    const after = run === snapshot?.run ? snapshot.sequence : 0;
    for (const { event } of reader.events({ run, after, kinds: RECALLED_KINDS })) {
      if (event.kind === 'fill') bookings.push(event.fill);
      else if (event.kind === 'lateFee') bookings.push(event.lateFee);
      else if (event.kind === 'adjustment') bookings.push(event);
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
    endedOrderIds: reader.endedOrderIds({ afterTime: oldestMs - SEARCH_MARGIN_MS, nowMs }),
    ...lastOrders(reader, { memory, nowMs }),
    trading: { state, reason },
    resetTime,
  };
}
