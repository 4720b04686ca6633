import { Doubles } from '../kernel/index.ts';

/** How many values lie in `from <= value < to`; the outer two may be open-ended (infinite). */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** About how many bins the middle of the values gets. */
const BINS = 30;

/**
 * The distribution of values in bins of one round width (1, 2 or 5 times a power of ten) with zero
 * on an edge. The middle 96 percent of the values choose the width; what lies beyond falls in the
 * two open-ended outer bins.
 */
export function histogram(values: Iterable<number>): Bin[] {
  const sorted = finiteOf(values).sort();
  if (sorted.length === 0) return [];
  const lowest = quantile(sorted, 0.02);
  const highest = quantile(sorted, 0.98);
  const width = roundWidth((highest - lowest) / BINS || Math.abs(highest) / BINS || 1);
  const first = Math.floor(lowest / width);
  const last = Math.floor(highest / width);
  const counts = new Array<number>(last - first + 1).fill(0);
  for (const value of sorted) {
    const at = Math.min(last, Math.max(first, Math.floor(value / width))) - first;
    counts[at] = counts[at]! + 1;
  }
  return counts.map((count, at) => ({
    from: at === 0 && sorted[0]! < first * width ? -Infinity : edge(first + at, width),
    to:
      at === last - first && sorted.at(-1)! >= (last + 1) * width
        ? Infinity
        : edge(first + at + 1, width),
    count,
  }));
}

function finiteOf(values: Iterable<number>): Float64Array {
  const finite = new Doubles();
  for (const value of values) if (Number.isFinite(value)) finite.push(value);
  return finite.view();
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))]!;
}

/** Whole numbers a round step apart, from 0 to the first at or above `highest`: at most six. */
export function countTicks(highest: number): number[] {
  const step = Math.max(1, roundWidth(highest / 4));
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, at) => at * step);
}

/** The least of 1, 2, 5 times a power of ten that is at or above `width`. */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  const times = [1, 2, 5, 10].find((factor) => factor * power >= width * (1 - 1e-12)) ?? 10;
  return Number((times * power).toPrecision(1));
}

/** A multiple of the width without the noise of its product. */
const edge = (index: number, width: number): number => Number((index * width).toPrecision(12));
