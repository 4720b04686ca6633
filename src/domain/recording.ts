import type { Side } from './market.ts';
import type { Level } from './market-data.ts';

interface RecordedBase {
  /** The exchange's stamp, milliseconds since the epoch; a fraction where the source is finer. */
  readonly time: number;
  /** The recorder's own clock, if recorded. It may run ahead of or behind the exchange's. */
  readonly receivedTime?: number;
}

/** A public trade of a recording. */
export interface RecordedTrade extends RecordedBase {
  readonly kind: 'trade';
  /** The recorded id, or the row's number where the recording has none. */
  readonly id: string;
  readonly price: number;
  /** In the base currency. */
  readonly amount: number;
  readonly takerSide: Side;
}

/** The amount that rests at one price from now on; 0 when nothing does. */
export type LevelChange = readonly [side: Side, price: number, amount: number];

/** Changes of a recorded book, all at one instant. */
export interface RecordedLevels extends RecordedBase {
  readonly kind: 'levels';
  readonly changes: readonly LevelChange[];
}

/** A whole recorded book: `bids` highest first, `asks` lowest first. */
export interface RecordedBook extends RecordedBase {
  readonly kind: 'book';
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Depth is missing from here on, until the next `book`. */
export interface RecordedGap extends RecordedBase {
  readonly kind: 'gap';
  readonly reason: string;
}

/** One record of a recorded market, in the order in which it was recorded. */
export type MarketRecord = RecordedTrade | RecordedLevels | RecordedBook | RecordedGap;
