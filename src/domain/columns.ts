/**
 * Recorded market data as columns of one length: a row is the same place in each. Times are
 * milliseconds since the epoch, with a fraction where the source is finer; amounts and volumes are
 * in the base currency; what is not known (`received`) is NaN.
 */

/** Candles; `time` is the opening. */
export interface CandleColumns {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** The best bid and ask. */
export interface QuoteColumns {
  readonly time: Float64Array;
  readonly received: Float64Array;
  readonly bid: Float64Array;
  readonly bidAmount: Float64Array;
  readonly ask: Float64Array;
  readonly askAmount: Float64Array;
}

/** Public trades; `side` is the taker's: 1 bought, -1 sold. */
export interface TradeColumns {
  readonly time: Float64Array;
  readonly received: Float64Array;
  readonly price: Float64Array;
  readonly amount: Float64Array;
  readonly side: Float64Array;
}

/** What a row of depth says. */
export const DEPTH_EVENTS = {
  /** A level of a whole book; the first one of an update empties the book before it. */
  snapshot: 1,
  /** The amount that rests at a price from now on; 0 when nothing does. */
  change: 2,
  /** A public trade; `side` is the taker's. */
  trade: 3,
  /** Depth is missing from here to the next snapshot. */
  gap: 4,
} as const;

/**
 * A book in rows: a row a level, and the trades between them. Rows of one update stand together and
 * share its number `update`; `event` is one of `DEPTH_EVENTS`. `side` is 1 for bids (or a buying
 * taker), -1 for asks.
 */
export interface DepthColumns {
  readonly time: Float64Array;
  readonly received: Float64Array;
  readonly update: Float64Array;
  readonly event: Float64Array;
  readonly side: Float64Array;
  readonly price: Float64Array;
  readonly amount: Float64Array;
}
