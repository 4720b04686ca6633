import type { Meters } from '../meters/meters.ts';
import type { TimeSlice } from './time-slice.ts';

/**
 * The order of steps that share one moment, across all markets: things happen at the exchange,
 * strategies hear of them, paused orders are retried, orders waiting for an open leave, strategies
 * hear of the open.
 */
export const TURNS = { happening: 0, hearing: 1, retrying: 2, opening: 3, hearingOpen: 4 } as const;
export type Turn = (typeof TURNS)[keyof typeof TURNS];

/** Plays the rows of one market, one after the other. */
export interface RowFeed {
  readonly market: string;
  /** When the next step is due; infinite when the chunk is used up. */
  readonly nextMs: number;
  /** What that step is. */
  readonly nextTurn: Turn;
  /** Rows played so far. */
  readonly rows: number;
  /** What is wrong with the rows read so far: whole sentences. */
  readonly findings: readonly string[];
  /** The finding about missing candles: how many, and the longest hole. Default: none missing. */
  readonly missing?: string | undefined;
  /** For how long data are missing between the first and the last row read so far. */
  readonly missingMs: number;
  /** The price that the current chunk begins with; undefined when it has none. */
  readonly firstPrice: number | undefined;
  /** Reads the next chunk, once the current one is used up. False when nothing is left to do. */
  refill(): Promise<boolean>;
  /** Takes the next step. The caller has advanced to whatever meter was due before it. */
  step(meters: Meters): void;
  /** Ends a moment: all that was heard in it is complete. To be called before time moves on. */
  settle(): void;
  /** Plays until the chunk is used up or the slice is over; serves the meters in between. */
  playAll(meters: Meters, slice: TimeSlice): void;
  /** Adds the played part of the chunk to chart and findings: no more of it will be played. */
  recordPlayed(): void;
  /** Closes the source of the rows. */
  close(): Promise<void>;
}
