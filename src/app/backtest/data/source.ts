import type {
  CandleColumns,
  DepthColumns,
  Interval,
  Market,
  QuoteColumns,
  TradeColumns,
} from '../../../domain/index.ts';
import { type Gap, OPENING_UPDATE } from '../../../history/index.ts';
import type { Worth } from '../../../sim/index.ts';

interface SourceBase<K extends string, Rows> {
  readonly kind: K;
  readonly market: Market;
  /** The name of the dataset, also shown to people. */
  readonly name: string;
  /** Identifies the rows: the same name and hash mean the same rows. */
  readonly hash: string;
  /** What the coin is worth, where it counts. Default: unknown. */
  readonly worth?: Worth | undefined;
  /** When the data begin, and end: milliseconds since the epoch. */
  readonly firstMs: number;
  readonly endMs: number;
  /** Times of rows are multiples of this, milliseconds: the length of a candle. */
  readonly stepMs: number;
  /** Where rows are known to be missing, in order of time. Default: none are. */
  readonly gaps?: readonly Gap[];
  /** What else is known to be wrong with the rows: whole sentences. Default: nothing. */
  readonly findings?: readonly string[];
  /** The rows from `from` on and before `to`. Their arrays are valid only until the next chunk. */
  chunks(from: number, to: number): AsyncIterable<Rows>;
}

/** Candles of one market. A candle's time is its opening. */
export interface CandleSource extends SourceBase<'candles', CandleColumns> {
  readonly interval: Interval;
}
/** Public trades of one market. */
export type TradeSource = SourceBase<'trades', TradeColumns>;
/**
 * The book of one market level by level, with the trades in between. Rows requested from the middle
 * of the recording begin with the book as it stood then, if it is known.
 */
export type DepthSource = SourceBase<'depth', DepthColumns>;

/**
 * The best bid and ask of one market. An empty side has a price and an amount of 0; any other side
 * has both above 0.
 */
export interface QuoteSource extends SourceBase<'quotes', QuoteColumns> {
  /** The quote that stands at a time, from the rows before it; undefined where none is known. */
  standing(at: number): Promise<QuoteColumns | undefined>;
}

/** When the first candle that a run plays may open: one already open when it begins is played. */
export function playedFromMs(
  { firstMs, stepMs }: Pick<CandleSource, 'firstMs' | 'stepMs'>,
  { warmFromMs }: { readonly warmFromMs: number },
): number {
  return Math.max(firstMs, warmFromMs - stepMs + 1);
}

/** Whether any row lies from `from` on and before `to`, not counting the book that stands then. */
export async function hasRows(source: Source, from: number, to: number): Promise<boolean> {
  if (source.kind !== 'depth') {
    for await (const { time } of source.chunks(from, to)) if (time.length > 0) return true;
    return false;
  }
  for await (const { update } of source.chunks(from, to)) {
    if (update.some((one) => one !== OPENING_UPDATE)) return true;
  }
  return false;
}

/** The data of one market that are replayed. */
export type Source = CandleSource | TradeSource | DepthSource | QuoteSource;
