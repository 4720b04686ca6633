import type { Dataset, DatasetRow, Gap } from '../../history/index.ts';

/** A time: `from` is in it, `to` is not. Milliseconds since the epoch; both may be infinite. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Some rows of a span, as the venue told them. */
export interface Page {
  readonly rows: readonly DatasetRow[];
  /** The time up to which the venue has now told all that it knows. */
  readonly reached: number;
  /** A time before these rows of which the venue tells nothing. */
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
 * The spans of a wanted time that a dataset lacks: before it, in its gaps, and after it. If the
 * wanted time lies apart from the dataset, the time between counts too, so that no hole arises.
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
