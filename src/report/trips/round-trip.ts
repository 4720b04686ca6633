/**
 * One round trip: from flat to flat in one market by one strategy. A fill through flat ends one
 * trip and begins the next. Money is in the market's own quote currency.
 */
export interface RoundTrip {
  readonly market: string;
  readonly strategy: string;
  readonly side: 'long' | 'short';
  /** First and last fill, milliseconds since the epoch. No `closeTime`: still open. */
  readonly openTime: number;
  readonly closeTime: number | undefined;
  /** Base currency opened in total. */
  readonly amount: number;
  /** Average price of the fills that opened. */
  readonly entryPrice: number;
  /** Average price of the fills that closed; undefined before there is one. */
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
   * Worth of one unit of the market's quote currency in the account's currency at the last fill;
   * NaN if not known. Undefined if the two are one, or the account has none.
   */
  readonly rate?: number | undefined;
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

/** What a trip earned and its fees, in the currency of the account. */
export function inAccount({
  rate = 1,
  profit,
  fees,
}: RoundTrip): Pick<RoundTrip, 'profit' | 'fees'> {
  return rate === 1 ? { profit, fees } : { profit: profit * rate, fees: fees * rate };
}

export function isClosed(trip: RoundTrip): trip is ClosedTrip {
  return trip.closeTime !== undefined;
}

/** The trips that are over. */
export function* closedTrips(trips: Iterable<RoundTrip>): Generator<ClosedTrip> {
  for (const trip of trips) if (isClosed(trip)) yield trip;
}
