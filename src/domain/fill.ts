import type { Decimal } from '../kernel/index.ts';
import type { Amount, Side } from './market.ts';

/**
 * The fields that fills and late fees share: the owner of the position, the order, the fee's
 * currency.
 */
interface Booked {
  readonly market: string;
  readonly strategy: string;
  readonly clientOrderId: string;
  readonly exchangeOrderId: string;
  readonly side: Side;
  /** Average price of the fills it belongs to, value / amount: a float for reading. */
  readonly price: number;
  /**
   * By the venue's rule the base currency for a buy, the quote currency for a sell (wire facts,
   * fee).
   */
  readonly feeCurrency: string;
  /** When this process learnt of it, milliseconds since the epoch. */
  readonly time: number;
}

/** An increase of an order's filled amount, as learnt from the exchange. */
export interface Fill extends Booked {
  /** The tag of a single order; undefined for quotes and targets. */
  readonly tag?: string;
  /** Base currency traded. */
  readonly amount: Amount;
  /** Quote currency traded, before the fee. */
  readonly value: Decimal;
  /**
   * Fee charged, in `feeCurrency`. Until the venue tells a fee it is guessed from the configured
   * rate; a `LateFee` follows if the venue then tells a different one.
   */
  readonly fee: Decimal;
}

/** A correction of the fees booked with an order's fills, after the venue told the true fee. */
export interface LateFee extends Booked {
  /** To be added to the fees booked, in `feeCurrency`; negative where too much was booked. */
  readonly fee: Decimal;
  /** The correction in the quote currency, at the average price of the order's fills so far. */
  readonly value: Decimal;
}

/** A change of a position that the exchange told of. */
export type Booking = Fill | LateFee;

/**
 * A person's correction of a strategy's holding, for coins that came or went without one of its
 * orders.
 */
export interface Adjustment {
  readonly market: string;
  readonly strategy: string;
  /** Base currency held according to the records before, and the true holding after. */
  readonly before: Decimal;
  readonly after: Decimal;
  /** Quote currency the difference is booked at: paid where positive, received where negative. */
  readonly value: Decimal;
  /** When the person entered it, milliseconds since the epoch. */
  readonly time: number;
}

/** Anything that changes a position. */
export type PositionEntry = Booking | Adjustment;

export function isAdjustment(entry: PositionEntry): entry is Adjustment {
  return 'before' in entry;
}

/** Whether the entry is a trade, rather than a late fee or a person's adjustment. */
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

/** The holding of one strategy, or of all together, in one market, from fills and adjustments. */
export interface Position {
  readonly market: string;
  /** Net base currency gained (positive) or given (negative), fees included. */
  readonly amount: Decimal;
  /** Quote currency paid for the amount held, by average cost; negative for a short position. */
  readonly cost: Decimal;
  /** Profit of closed amounts, in the quote currency, before fees. */
  readonly realizedProfit: Decimal;
  /**
   * All fees so far, in the quote currency; base-currency fees are valued at the price of their
   * fill.
   */
  readonly fees: Decimal;
}
