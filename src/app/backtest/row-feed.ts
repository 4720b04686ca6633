import type { EquityMeter } from './equity-meter.ts';

/** Plays the rows of one market, one after the other. */
export interface RowFeed {
  readonly market: string;
  /** When there is something to do next; infinite when the chunk is used up. */
  readonly nextMs: number;
  /** Rows played so far. */
  readonly rows: number;
  /** The price that the rows at hand begin with, undefined when they tell of none. */
  readonly firstPrice: number | undefined;
  /** Reads the next chunk; false when there is none. To be called when the one before is used up. */
  refill(): Promise<boolean>;
  /** Does what is to be done next. */
  step(): void;
  /** Ends a moment: what was heard then is complete. To be called before time moves on. */
  settle(): void;
  /** Uses the chunk up, and has the account valued in between. */
  playAll(meter: EquityMeter): void;
  /** Lets go of the data. */
  close(): Promise<void>;
}
