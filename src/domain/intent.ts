import type { Amount, Price, Side } from './market.ts';
import type { OrderType } from './order.ts';

/** One order that `quotes` wants to rest. */
export interface Quote {
  readonly price: Price;
  readonly amount: Amount;
}

/** The resting orders that a strategy wants in a market now; an empty list wants none. */
export interface QuotesIntent {
  readonly kind: 'quotes';
  readonly market: string;
  readonly bids: readonly Quote[];
  readonly asks: readonly Quote[];
  /**
   * Default: true. The exchange then refuses a quote that would take, and the quote is tried again.
   */
  readonly postOnly: boolean;
}

/** The position that a strategy wants in a market: the net base amount of all its own fills. */
export interface TargetIntent {
  readonly kind: 'target';
  readonly market: string;
  /** Signed, in the base currency, a multiple of the amount step; other values are refused. */
  readonly position: number;
  /** Worst price to trade at; default: the far side of the book moved by `slippage`. */
  readonly priceLimit?: Price;
  /** How far beyond the best opposite price the order may trade, as a fraction. Default: 0.002. */
  readonly slippage: number;
}

/**
 * A single order, for cases that quotes and targets cannot express. Its tag names it among the
 * strategy's orders.
 */
export interface OrderIntent {
  readonly kind: 'order';
  readonly market: string;
  readonly tag: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: Price;
  readonly amount: Amount;
}

/** Cancels the order with that tag. */
export interface CancelIntent {
  readonly kind: 'cancel';
  readonly market: string;
  readonly tag: string;
}

export type Intent = QuotesIntent | TargetIntent | OrderIntent | CancelIntent;

/** A wish that stands until its strategy makes another in the same market. */
export type StandingWish = QuotesIntent | TargetIntent;

export function isStanding(intent: Intent): intent is StandingWish {
  return intent.kind === 'quotes' || intent.kind === 'target';
}

/** What a refusal applies to. */
export const SCOPES = ['order', 'strategy', 'market', 'account', 'deployment'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Why risk refused: the check, its limit and the value observed. Values are printable and exact.
 */
export interface Refusal {
  readonly code: string;
  readonly limit: string;
  readonly observed: string;
  readonly scope: Scope;
}

/** Whether new orders may leave. REDUCING: only to shrink a position. HALTED: cancels only. */
export const TRADING_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const;
export type TradingState = (typeof TRADING_STATES)[number];
