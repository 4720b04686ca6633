import type { MarketRecord } from '../domain/index.ts';
import type { Line } from './lines.ts';

/** Turns the lines of one recording into records. A reader keeps the state of one pass. */
export interface RecordReader {
  /**
   * The records of one line: none for a heading or for what is kept until later.
   *
   * @throws {TypeError} saying what is and what is wanted, when the line is broken.
   */
  read(line: Line): Iterable<MarketRecord>;
  /** What is known only at the end: depth that never became a book. */
  end?(): Iterable<MarketRecord>;
  /** The exchange's name of the market, such as BTCUSDT, once a line named it. */
  readonly symbol?: string | undefined;
}
