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

/** How far before a run's end an order may have left that the exchange took twice, unnoticed. */
const RECENT_MS = 3 * MINUTE_MS;
/**
 * Runs that ended longer ago than this, by our date, are ignored. That date may be wrong by a day,
 * and looking further back costs some pages at most.
 */
const PAST_MS = 2 * DAY_MS;

/** The orders that left or ended shortly before the last runs ended. */
export interface LastOrders {
  /**
   * The orders that left then, as they left, in that order. Left out are orders with the terms of a
   * doubtful one, whose fate is a person's word or which reads did not find: should the doubtful
   * order rest after all, it must not be taken for a copy of another.
   */
  readonly recentOrders: readonly PendingOrder[];
  /**
   * The orders that ended then, as they ended: reads that lag may still show them resting. Left out
   * are those whose end is a person's word, and `guessedOrders`.
   */
  readonly endedOrders: readonly FinalOrder[];
}

/** Finds the orders that left or ended last, including those that a killed run did not write. */
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
      // A time ahead of now, from a clock that was wrong, would outweigh every present read.
      .map((order) => ({ ...order, changedTime: Math.min(order.changedTime, nowMs) })),
  };
}

/** The order states of the last minutes that this deployment ran, oldest run first. */
function* lastStates(reader: JournalReader, nowMs: number): Generator<OrderState> {
  for (const { run, after } of lastPlaces(reader, nowMs)) {
    for (const { event } of reader.events({ run, after, kinds: ['order'] })) {
      if (event.kind === 'order') yield event.order;
    }
  }
}

/**
 * The places in the journal after which the last minutes of the last runs begin, oldest run first.
 * Each run is measured by its own clock: if the machine's date was set between two runs, nobody can
 * tell how long the bot was down.
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

/** Whether an order's end is only a person's word, or inferred from reads that did not find it. */
function isDoubtful(order: OrderState): boolean {
  return order.evidence === 'person' || isDeclaredAbsent(order);
}
