import type { Decimal } from '../kernel/index.ts';
import type { Amount, Side } from './market.ts';

/** A growth of an order's filled amount, as learnt from the exchange. */
export interface Fill {
  readonly market: string;
  readonly strategy: string;
  readonly clientOrderId: string;
  readonly exchangeOrderId: string;
  readonly side: Side;
  /** Base currency traded. */
  readonly amount: Amount;
  /** Quote currency traded, before the fee. */
  readonly value: Decimal;
  /** Average price of this fill: value / amount, a float for reading. */
  readonly price: number;
  /** Fee charged, in `feeCurrency`; worked out from the configured rate where the venue states none. */
  readonly fee: Decimal;
  /** The base currency for a buy, the quote currency for a sell (wire facts, fee). */
  readonly feeCurrency: string;
  /** When it was learnt, milliseconds since the epoch. */
  readonly time: number;
}

/** One currency of the account. Exact. */
export interface Balance {
  readonly currency: string;
  readonly available: Decimal;
  /** Held by resting orders. */
  readonly frozen: Decimal;
}

/** What a strategy, or all of them, hold in one market by their fills. */
export interface Position {
  readonly market: string;
  /** Base currency gained (positive) or given (negative) by all fills on record, fees included. */
  readonly amount: Decimal;
  /** Quote currency paid for the amount held, by average cost; negative for a short position. */
  readonly cost: Decimal;
  /** Profit of closed amounts, in the quote currency, before fees. */
  readonly realizedProfit: Decimal;
  /** All fees so far, valued in the quote currency at the price of their fill. */
  readonly fees: Decimal;
}
