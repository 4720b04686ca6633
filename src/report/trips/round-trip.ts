/**
 * One round trip: from flat to flat in one market by one strategy. A fill through flat ends one
 * trip and begins the next. Money is in the market's own quote currency.
 */
export interface RoundTrip {
  readonly market: string;
  readonly strategy: string;
  readonly side: 'long' | 'short';
  /** Of the first and the last fill, milliseconds since the epoch. No `closeTime`: still open. */
  readonly openTime: number;
  readonly closeTime: number | undefined;
  /** Base currency that was opened in all. */
  readonly amount: number;
  /** Average price of what opened. */
  readonly entryPrice: number;
  /** Average price of what closed; undefined before anything did. */
  readonly exitPrice: number | undefined;
  /** Quote currency that the opened amount was worth at its fills. */
  readonly entryValue: number;
  /** All fees of the trip, those in base valued at the price of their fill. */
  readonly fees: number;
  /** Realized so far by average cost, net of fees. */
  readonly profit: number;
  /** Profit as a fraction of `entryValue`. */
  readonly profitShare: number;
  readonly fills: number;
  /**
   * How far the price went against the trip (`adverse`, zero or negative) and for it (`favourable`,
   * zero or positive) from its first fill to its last, its fills' own prices included: fractions of
   * the entry price.
   */
  readonly adverse: number;
  readonly favourable: number;
}

/** A round trip that is over. */
export type ClosedTrip = RoundTrip & { readonly closeTime: number; readonly exitPrice: number };

export function isClosed(trip: RoundTrip): trip is ClosedTrip {
  return trip.closeTime !== undefined;
}
