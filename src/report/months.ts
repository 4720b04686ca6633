import type { CurveBlocks } from './curve.ts';

/** The return of one calendar month, in UTC. */
export interface MonthReturn {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  /** A fraction; NaN if the month begins at zero or below. A partial month has its own return. */
  readonly value: number;
  /** The equity at the beginning and at the end of the month. */
  readonly opening: number;
  readonly closing: number;
}

/** A year of months; `months[0]` is January, undefined where the run had none of it. */
export interface YearReturns {
  readonly year: number;
  readonly months: readonly (number | undefined)[];
  /** All its months compounded; NaN if the year begins at zero or below. */
  readonly total: number;
}

/** A return as a fraction; NaN from an opening of zero or below, which has none. */
function returnOf(opening: number, closing: number): number {
  return opening > 0 ? closing / opening - 1 : Number.NaN;
}

/** The return of every calendar month that a curve touches; its first value is the start. */
export function monthlyReturns(curve: CurveBlocks): MonthReturn[] {
  const months: MonthReturn[] = [];
  let current: Month | undefined;
  let opening: number | undefined;
  let closing = Number.NaN;
  const end = ({ year, month }: Month): void => {
    const edges = { opening: opening!, closing };
    months.push({ year, month, value: returnOf(edges.opening, closing), ...edges });
    opening = closing;
  };
  for (const { time, values } of curve) {
    for (let at = 0; at < time.length; at++) {
      if (opening === undefined) opening = values[at]!;
      else if (current === undefined || time[at]! > current.endsAt) {
        if (current !== undefined) end(current);
        current = monthOf(time[at]!);
      }
      closing = values[at]!;
    }
  }
  if (current !== undefined) end(current);
  return months;
}

/** The months grouped by year. */
export function byYear(months: readonly MonthReturn[]): YearReturns[] {
  return Array.from(
    Map.groupBy(months, ({ year }) => year),
    ([year, ofYear]) => ({
      year,
      months: Array.from(
        { length: 12 },
        (_, at) => ofYear.find(({ month }) => month === at + 1)?.value,
      ),
      total: returnOf(ofYear[0]!.opening, ofYear.at(-1)!.closing),
    }),
  );
}

interface Month {
  readonly year: number;
  readonly month: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The month that a time belongs to: midnight of the first belongs to the month before. */
function monthOf(time: number): Month {
  const date = new Date(time - 1);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + 1;
  return { year, month, endsAt: Date.UTC(year, month) };
}
