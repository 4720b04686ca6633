/**
 * Recorded market data as columns of equal length: row i is element i of each column. Times are
 * milliseconds since the epoch, with a fraction where the source is finer; amounts and volumes are
 * in the base currency; unknown values (`received`) are NaN.
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

/** The kinds of rows in `DepthColumns`. */
export const DEPTH_EVENTS = {
  /** A level of a full book. The first snapshot row of an update empties the book before it. */
  snapshot: 1,
  /** The amount that rests at a price from now on; 0 when nothing does. */
  change: 2,
  /** A public trade; `side` is the taker's. */
  trade: 3,
  /** Depth is missing from here to the next snapshot. */
  gap: 4,
} as const;

/**
 * A book as rows, one per level, with the trades in between. Rows of one update are adjacent and
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
