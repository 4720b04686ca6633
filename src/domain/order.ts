import type { Decimal } from '../kernel/index.ts';
import { type Amount, isSameSize, type Price, type Side } from './market.ts';

/** How an order may trade. `limit` rests; `postOnly` is refused if it would take; `ioc` never rests. */
export const ORDER_TYPES = ['limit', 'postOnly', 'ioc'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** What an order asks for; does not change in its life. */
export interface OrderTerms {
  readonly market: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: Price;
  readonly amount: Amount;
}

/** Whether two orders ask for the same. The type is not compared: records do not tell it. */
export function isSameOrder(a: OrderTerms, b: OrderTerms): boolean {
  const isAlike = a.market === b.market && a.side === b.side;
  return isAlike && isSameSize(a.price, b.price) && isSameSize(a.amount, b.amount);
}

/** On whose word an order took a step. `person`: while nothing ran, in the journal. */
export const EVIDENCE = ['request', 'answer', 'push', 'query', 'journal', 'person'] as const;
export type Evidence = (typeof EVIDENCE)[number];

interface OrderBase extends OrderTerms {
  /** Ours, unique within all runs: 4 to 36 letters or digits (contract, customerOrderId). */
  readonly clientOrderId: string;
  /** The strategy that wished it; `adopted` for an order found on the exchange. */
  readonly strategy: string;
  /** The strategy's own name for it: a tag of `order`, or a slot of `quotes` or `target`. */
  readonly tag: string;
  /** When it was made here, milliseconds since the epoch. */
  readonly createdTime: number;
  /** Filled so far; only grows. */
  readonly filledAmount: Amount;
  /** Money moved by the fills so far, in the quote currency, before fees. */
  readonly filledValue: Decimal;
  /**
   * Fee of the fills so far: as the exchange told it and, of what it has not told, as it was guessed.
   * Undefined where nothing was filled, or nobody knows what came before the order was ours.
   */
  readonly fee?: Decimal | undefined;
  /** The part of `fee` that is a guess by the configured rates; undefined: all of it was told. */
  readonly guessedFee?: Decimal | undefined;
  /** When it took this state, milliseconds since the epoch, and on whose word. */
  readonly changedTime: number;
  readonly evidence: Evidence;
}

/** The request is about to leave or under way; the exchange has not answered. */
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
/** It may or may not exist, or may or may not still rest: only the exchange's word ends this state. */
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
/** Ended with a rest unfilled: cancelled by us, by the timed cancel, by another, or an IOC's rest. */
export interface CancelledOrder extends OrderBase {
  readonly status: 'cancelled';
  readonly exchangeOrderId: string;
}
/**
 * Never existed on the exchange: refused, never sent, or found absent. Without a code that is our own
 * conclusion, which the exchange's word overturns.
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

/** Whether the order's story is over. Final states absorb late news. */
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
 * Whether the order may have filled though nobody has heard of it: it takes at once, or nothing says
 * that it rests. One that is known to rest waits for others to come.
 */
export function mayBeFilling({ type, status }: LiveOrder): boolean {
  return type === 'ioc' || status === 'pending' || status === 'unknown';
}

/** Whether reads that did not find the order, or a person, are all that speaks against it. */
export function isDeclaredAbsent(order: OrderState): order is RejectedOrder {
  if (order.status !== 'rejected' || order.code !== undefined) return false;
  return order.evidence === 'query' || order.evidence === 'person';
}

/** The live orders after one of them changed: it keeps its place, is new at the end, or is gone. */
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
