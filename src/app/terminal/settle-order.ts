import {
  isDeclaredAbsent,
  isFinal,
  type LiveOrder,
  type OrderState,
  type RejectedOrder,
  type UnknownOrder,
} from '../../domain/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { readFrom } from '../../storage/index.ts';
import { AppError } from '../errors.ts';
import { systemClock } from '../time/system-clock.ts';
import { recordByHand } from './record-by-hand.ts';

/** A person's word on an order in doubt. */
export interface Settlement {
  /** The file of the journal. */
  readonly journal: string;
  readonly clientOrderId: string;
  /** The exchange's id of the order; undefined: it was never placed. */
  readonly exchangeOrderId?: string | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** What an order was, and what the journal says of it now. */
export interface SettledOrder {
  readonly before: LiveOrder;
  readonly after: RejectedOrder | UnknownOrder;
}

/**
 * Writes into a journal what a person knows of an order in doubt, as one event of a run by hand: the
 * next start asks no more for one that was never placed, and reads the state of another by its id.
 *
 * @throws {AppError} `journal` where there is none; `refused` where the order is not in doubt, or the
 * id is another's. @throws {StorageError} when a process uses the journal.
 */
export function settleOrder(settlement: Settlement): SettledOrder {
  const { journal, clock = systemClock } = settlement;
  return recordByHand({ journal, clock }, () => {
    const before = inDoubt(settlement);
    const order = settled(before, { ...settlement, clock });
    const { changedTime: time, market } = order;
    return { event: { kind: 'order', time, market, order }, before, after: order };
  });
}

/** The order, if it may be settled so. @throws {AppError} `refused` if it may not. */
function inDoubt({ journal, clientOrderId, exchangeOrderId }: Settlement): LiveOrder {
  const refuse = (why: string): never => {
    throw new AppError('refused', `Cannot settle the order ${clientOrderId}: ${why}`);
  };
  return readFrom(journal, (reader) => {
    const order = reader.order(clientOrderId);
    if (order === undefined)
      return refuse(`${journal} does not know it, one of its orders is wanted`);
    if (!isInDoubt(order)) return refuse(`${stateText(order)}, one in doubt is wanted`);
    const owner = exchangeOrderId === undefined ? undefined : reader.ownerOf(exchangeOrderId);
    if (owner === undefined || owner === clientOrderId) return order;
    return refuse(`${exchangeOrderId} is the order ${owner}, the id of no other is wanted`);
  });
}

/** Whether no start can tell what became of it: its id is unknown, or only a person told it. */
function isInDoubt(order: OrderState): order is LiveOrder {
  if (isFinal(order)) return false;
  return order.exchangeOrderId === undefined || order.evidence === 'person';
}

function stateText(order: OrderState): string {
  if (isDeclaredAbsent(order)) return 'it counts as never placed already';
  const id = order.exchangeOrderId;
  if (isFinal(order)) return `it is over: ${order.status}${id === undefined ? '' : ` as ${id}`}`;
  return `it is ${order.status} as ${id}, which a start reads`;
}

function settled(
  order: LiveOrder,
  { exchangeOrderId, clock }: Settlement & { readonly clock: Clock },
): SettledOrder['after'] {
  const { market, side, type, price, amount, clientOrderId, strategy, tag, createdTime } = order;
  const { filledAmount, filledValue } = order;
  const time = Math.max(clock.now(), order.changedTime);
  const base = {
    ...{ market, side, type, price, amount, clientOrderId, strategy, tag, createdTime },
    ...{ filledAmount, filledValue, changedTime: time, evidence: 'person' as const },
  };
  if (exchangeOrderId === undefined) {
    return { ...base, status: 'rejected', reason: 'a person: it was never placed' };
  }
  const unknownSince = order.status === 'unknown' ? order.unknownSince : time;
  const reason = 'a person told its id: the exchange is to be asked';
  return { ...base, status: 'unknown', exchangeOrderId, reason, unknownSince };
}
