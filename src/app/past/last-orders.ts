import {
  type FinalOrder,
  isDeclaredAbsent,
  isFinal,
  isSameOrder,
  type JournalMemory,
  type OrderState,
  type PendingOrder,
} from '../../domain/index.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/index.ts';
import type { JournalReader } from '../../storage/index.ts';

/** How long before a run ended orders left that the exchange may have taken twice, unheard of. */
const RECENT_MS = 3 * MINUTE_MS;
/**
 * A run that ended longer ago than that, by our date, is no longer of interest: that may be wrong by
 * a day, and what a reading looks back to costs some pages at most.
 */
const PAST_MS = 2 * DAY_MS;

/** What became of orders just before the last runs ended. */
export interface LastOrders {
  /**
   * The orders that left then, as they left, in the order of leaving. None of the terms of one whose
   * fate nobody but a person knows, or that nobody found: should that one rest after all, it is no
   * copy of another.
   */
  readonly recentOrders: readonly PendingOrder[];
  /**
   * Those that ended then, as they ended: reads that lag may show them at rest yet. None whose end is
   * a person's word, nor of `guessedOrders`.
   */
  readonly endedOrders: readonly FinalOrder[];
}

/** The orders that left or ended last, those whose run was killed before it wrote them among them. */
export function lastOrders(
  reader: JournalReader,
  { memory, nowMs }: { readonly memory: JournalMemory; readonly nowMs: number },
): LastOrders {
  const left = new Map<string, PendingOrder>();
  const newest = new Map<string, OrderState>();
  for (const order of lastStates(reader, nowMs)) {
    const { clientOrderId } = order;
    if (order.status === 'pending') left.set(clientOrderId, order);
    newest.set(clientOrderId, order);
  }
  for (const order of memory.liveOrders) {
    if (order.status !== 'pending' || isPast(order.createdTime, nowMs)) continue;
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
    endedOrders: states
      .filter(isFinal)
      .filter((order) => order.exchangeOrderId !== undefined && order.evidence !== 'person')
      .filter(({ clientOrderId }) => !taken.has(clientOrderId))
      // A date that was ahead would hold against every read that is of now.
      .map((order) => ({ ...order, changedTime: Math.min(order.changedTime, nowMs) })),
  };
}

/** What became of orders in the last minutes that this deployment ran, in the order of all runs. */
function* lastStates(reader: JournalReader, nowMs: number): Generator<OrderState> {
  for (const { run, after } of lastPlaces(reader, nowMs)) {
    for (const { event } of reader.events({ run, after, kinds: ['order'] })) {
      if (event.kind === 'order') yield event.order;
    }
  }
}

/**
 * The places in the journal behind which the ends of the last runs begin, oldest first. Each run is
 * measured by its own clock: where the machine's date was set between two, nobody can tell how long
 * the bot was down.
 */
function lastPlaces(reader: JournalReader, nowMs: number): { run: number; after: number }[] {
  const places = [];
  let leftMs = RECENT_MS;
  for (const { id: run } of reader.runs().reverse()) {
    const end = reader.tail(run, 0);
    if (end === undefined || isPast(end.lastTime, nowMs)) continue;
    const tail = reader.tail(run, leftMs) ?? end;
    places.unshift({ run, after: tail.first - 1 });
    leftMs -= tail.elapsedMs;
    if (leftMs <= 0) break;
  }
  return places;
}

function isPast(time: number, nowMs: number): boolean {
  return nowMs - time > PAST_MS;
}

/** Whether what is known of the order is a person's word, or that reads did not find it. */
function isDoubtful(order: OrderState): boolean {
  return order.evidence === 'person' || isDeclaredAbsent(order);
}
