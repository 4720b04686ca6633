import type { Meters } from '../meters/meters.ts';
import type { TimeSlice } from './time-slice.ts';

/**
 * What is done first at one time, over all markets: things happen at the exchange, then strategies
 * hear of them, then what met nothing before is tried again, then the orders that wait for an open
 * leave, then strategies hear of the open.
 */
export const TURNS = { happening: 0, hearing: 1, retrying: 2, opening: 3, hearingOpen: 4 } as const;
export type Turn = (typeof TURNS)[keyof typeof TURNS];

/** Plays the rows of one market, one after the other. */
export interface RowFeed {
  readonly market: string;
  /** When there is something to do next; infinite when the chunk is used up. */
  readonly nextMs: number;
  /** What there is to do then. */
  readonly nextTurn: Turn;
  /** Rows played so far. */
  readonly rows: number;
  /** What is wrong with the rows read so far: whole sentences. */
  readonly findings: readonly string[];
  /** Of these, how many candles are missing and where the longest hole is. Default: none is. */
  readonly missing?: string | undefined;
  /** How long data are missing between the first of the rows read so far and the last. */
  readonly missingMs: number;
  /** The price that the rows at hand begin with, undefined when they tell of none. */
  readonly firstPrice: number | undefined;
  /** Reads the next chunk; false when there is none. To be called when the one before is used up. */
  refill(): Promise<boolean>;
  /** Does what is to be done next, once what fell due on the way there was looked at. */
  step(meters: Meters): void;
  /** Ends a moment: what was heard then is complete. To be called before time moves on. */
  settle(): void;
  /** Uses the chunk up, or plays until the slice is over; has the account valued in between. */
  playAll(meters: Meters, slice: TimeSlice): void;
  /** Puts what was played of the rows at hand into the chart and the findings: none is played any more. */
  recordPlayed(): void;
  /** Lets go of the data. */
  close(): Promise<void>;
}
