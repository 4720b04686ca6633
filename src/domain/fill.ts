import type { Decimal } from '../kernel/index.ts';
import type { Amount, Side } from './market.ts';

/** What moves a position: whose it is, and the fee that comes with it. */
interface Booked {
  readonly market: string;
  readonly strategy: string;
  readonly clientOrderId: string;
  readonly exchangeOrderId: string;
  readonly side: Side;
  /** Average price of what it is of, value / amount: a float for reading. */
  readonly price: number;
  /** The base currency for a buy, the quote currency for a sell (wire facts, fee). */
  readonly feeCurrency: string;
  /** When it was learnt, milliseconds since the epoch. */
  readonly time: number;
}

/** A growth of an order's filled amount, as learnt from the exchange. */
export interface Fill extends Booked {
  /** Of an order that was asked for by itself: its tag. */
  readonly tag?: string;
  /** Base currency traded. */
  readonly amount: Amount;
  /** Quote currency traded, before the fee. */
  readonly value: Decimal;
  /**
   * Fee charged, in `feeCurrency`. Where the venue has told none yet it is guessed by the configured
   * rate, and a `LateFee` follows when it tells another.
   */
  readonly fee: Decimal;
}

/** A correction of the fees that an order's fills were booked with, as the venue told later. */
export interface LateFee extends Booked {
  /** To be added to the fees booked, in `feeCurrency`; negative where more was booked. */
  readonly fee: Decimal;
  /** Its worth in the quote currency, at the average price of the order's fills so far. */
  readonly value: Decimal;
}

/** What the exchange told that moves a position. */
export type Booking = Fill | LateFee;

/** A person's word on what a strategy holds, where coins came or went that no order of it moved. */
export interface Adjustment {
  readonly market: string;
  readonly strategy: string;
  /** Base currency held by all that was on record, and what is held. */
  readonly before: Decimal;
  readonly after: Decimal;
  /** Quote currency that the difference counts for: paid where positive, received where negative. */
  readonly value: Decimal;
  /** When it was said, milliseconds since the epoch. */
  readonly time: number;
}

/** What positions are made of. */
export type PositionEntry = Booking | Adjustment;

export function isAdjustment(entry: PositionEntry): entry is Adjustment {
  return 'before' in entry;
}

/** Whether it is a trade, not a fee that was told later, nor a person's word. */
export function isFill(entry: PositionEntry): entry is Fill {
  return 'amount' in entry;
}

/** One currency of the account. Exact. */
export interface Balance {
  readonly currency: string;
  readonly available: Decimal;
  /** Held by resting orders. */
  readonly frozen: Decimal;
}

/** What a strategy, or all of them, hold in one market by their fills, and by a person's word. */
export interface Position {
  readonly market: string;
  /** Base currency gained (positive) or given (negative) by all that is on record, fees included. */
  readonly amount: Decimal;
  /** Quote currency paid for the amount held, by average cost; negative for a short position. */
  readonly cost: Decimal;
  /** Profit of closed amounts, in the quote currency, before fees. */
  readonly realizedProfit: Decimal;
  /** All fees so far, valued in the quote currency at the price of their fill. */
  readonly fees: Decimal;
}
