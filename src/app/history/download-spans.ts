import type { Dataset, DatasetRow, Gap } from '../../history/index.ts';

/** A time: `from` is in it, `to` is not. Milliseconds since the epoch; both may be infinite. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Some rows of a span, as the venue told them. */
export interface Page {
  readonly rows: readonly DatasetRow[];
  /** Up to where the venue has told now what it knows. */
  readonly reached: number;
  /** What the venue does not tell, before these rows. */
  readonly gap?: Gap;
}

/** A span that a dataset lacks. */
export interface MissingSpan extends Span {
  /** The gap that it is in; undefined for what lies before and after the dataset. */
  readonly gap?: Gap;
  /** Whether rows of the dataset come after it. */
  readonly isBefore: boolean;
}

export interface Wanted {
  /** Undefined: as far back as the venue tells; with a dataset, from its end on. */
  readonly from: number | undefined;
  readonly to: number;
  /** Length of a candle; 0 for trades, of which several may have one time. */
  readonly stepMs: number;
}

/**
 * The spans that a dataset lacks of a wanted time: before it, in its gaps, and after it. What lies
 * between is lacking too: a dataset gets no hole because a later time was asked for.
 */
export function missingSpans(
  dataset: Dataset | undefined,
  { from, to, stepMs }: Wanted,
): MissingSpan[] {
  if (dataset === undefined) {
    return [{ from: from ?? Number.NEGATIVE_INFINITY, to, isBefore: false }];
  }
  const { firstTime, lastTime, gaps } = dataset;
  const start = from ?? firstTime;
  const first = { from: start, to: firstTime, isBefore: true };
  const inner = gaps
    .filter((gap) => gap.to > start && gap.from < to)
    .map((gap) => ({ from: gap.from + stepMs, to: gap.to, gap, isBefore: true }));
  const last = { from: lastTime + stepMs, to, isBefore: false };
  return [first, ...inner, last].filter((span) => span.from < span.to);
}
