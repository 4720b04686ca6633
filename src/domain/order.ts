import type { Decimal } from '../kernel/index.ts';
import { type Amount, isSameSize, type Price, type Side } from './market.ts';

/**
 * How an order may trade. `limit` rests; `postOnly` is refused if it would take; `ioc` never rests.
 */
export const ORDER_TYPES = ['limit', 'postOnly', 'ioc'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** The terms of an order. They never change. */
export interface OrderTerms {
  readonly market: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: Price;
  readonly amount: Amount;
}

/** Whether two orders have the same terms. The type is not compared: records do not tell it. */
export function isSameOrder(a: OrderTerms, b: OrderTerms): boolean {
  const isAlike = a.market === b.market && a.side === b.side;
  return isAlike && isSameSize(a.price, b.price) && isSameSize(a.amount, b.amount);
}

/** The source of an order's news. `person`: entered in the journal while nothing ran. */
export const EVIDENCE = ['request', 'answer', 'push', 'query', 'journal', 'person'] as const;
export type Evidence = (typeof EVIDENCE)[number];

interface OrderBase extends OrderTerms {
  /** Ours, unique within all runs: 4 to 36 letters or digits (contract, customerOrderId). */
  readonly clientOrderId: string;
  /** The strategy that wished it; `adopted` for an order found on the exchange. */
  readonly strategy: string;
  /** The strategy's own name for it: a tag of `order`, or a slot of `quotes` or `target`. */
  readonly tag: string;
  /** When this process created it, milliseconds since the epoch. */
  readonly createdTime: number;
  /** Filled so far; only grows. */
  readonly filledAmount: Amount;
  /** Value of the fills so far, in the quote currency, before fees. */
  readonly filledValue: Decimal;
  /**
   * Fee of the fills so far: as told by the exchange, the rest as guessed. Undefined where nothing
   * has filled, or where the fee of fills before we adopted the order is not known.
   */
  readonly fee?: Decimal | undefined;
  /**
   * The part of `fee` that was guessed from the configured rates; undefined: all of it was told.
   */
  readonly guessedFee?: Decimal | undefined;
  /** When it entered this state, milliseconds since the epoch, and on whose word. */
  readonly changedTime: number;
  readonly evidence: Evidence;
}

/** Its request is about to leave or under way; the exchange has not answered. */
export interface PendingOrder extends OrderBase {
  readonly status: 'pending';
  readonly exchangeOrderId?: undefined;
}
/** Resting on the exchange, perhaps filled in part. */
export interface OpenOrder extends OrderBase {
  readonly status: 'open';
  readonly exchangeOrderId: string;
}
/** A cancel is under way; it may still fill. */
export interface CancellingOrder extends OrderBase {
  readonly status: 'cancelling';
  readonly exchangeOrderId: string;
}
/**
 * Its existence, or whether it still rests, is not known. Only the exchange's word ends this state.
 */
export interface UnknownOrder extends OrderBase {
  readonly status: 'unknown';
  readonly exchangeOrderId?: string | undefined;
  readonly reason: string;
  readonly unknownSince: number;
}
export interface FilledOrder extends OrderBase {
  readonly status: 'filled';
  readonly exchangeOrderId: string;
}
/**
 * Ended before it was completely filled: cancelled by us, by the timed cancel, by somebody else, or
 * as the remainder of an IOC order.
 */
export interface CancelledOrder extends OrderBase {
  readonly status: 'cancelled';
  readonly exchangeOrderId: string;
}
/**
 * Never existed on the exchange: refused, never sent, or found absent. Without a code we concluded
 * that ourselves, and the exchange's word overturns it.
 */
export interface RejectedOrder extends OrderBase {
  readonly status: 'rejected';
  readonly exchangeOrderId?: undefined;
  readonly reason: string;
  /** The exchange's error code where it gave one. */
  readonly code?: number;
}

export type LiveOrder = PendingOrder | OpenOrder | CancellingOrder | UnknownOrder;
export type FinalOrder = FilledOrder | CancelledOrder | RejectedOrder;
export type OrderState = LiveOrder | FinalOrder;
export type OrderStatus = OrderState['status'];

/** Whether the order has ended for good. `applyNews` says which late news final states absorb. */
export function isFinal(order: OrderState): order is FinalOrder {
  switch (order.status) {
    case 'filled':
    case 'cancelled':
    case 'rejected':
      return true;
    case 'pending':
    case 'open':
    case 'cancelling':
    case 'unknown':
      return false;
    default:
      return order satisfies never;
  }
}

/**
 * Whether the order may have filled without our having heard: it takes at once, or it is not known
 * to rest. An order known to rest fills only when somebody trades with it.
 */
export function mayBeFilling({ type, status }: LiveOrder): boolean {
  return type === 'ioc' || status === 'pending' || status === 'unknown';
}

/** Whether the order counts as absent only because reads did not find it, or a person said so. */
export function isDeclaredAbsent(order: OrderState): order is RejectedOrder {
  if (order.status !== 'rejected' || order.code !== undefined) return false;
  return order.evidence === 'query' || order.evidence === 'person';
}

/** The list of live orders after one order changed: updated in place, appended, or removed. */
export function liveAfter(live: readonly LiveOrder[], order: OrderState): readonly LiveOrder[] {
  const at = live.findIndex(({ clientOrderId }) => clientOrderId === order.clientOrderId);
  if (isFinal(order)) return at < 0 ? live : live.toSpliced(at, 1);
  return at < 0 ? [...live, order] : live.with(at, order);
}

/** Source: contract, customerOrderId. */
const CLIENT_ORDER_ID = /^[A-Za-z0-9]{4,36}$/;

/** Whether the exchange takes a text as a client order id: 4 to 36 letters or digits. */
export function isClientOrderId(text: string): boolean {
  return CLIENT_ORDER_ID.test(text);
}
