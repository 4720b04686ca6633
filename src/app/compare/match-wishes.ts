import { HOUR_MS, MINUTE_MS } from '../../kernel/index.ts';

/** How far apart two runs may have made one wish. */
const APART_MAX_MS = MINUTE_MS;
/** The same of runs that wished the same throughout: how late data may be heard in one of them. */
const LATE_MAX_MS = HOUR_MS;
/** The most wishes of the other run, within that time, that one wish is compared with. */
const HELD_TO_MAX = 32;
/** The worth of a pair of equal wishes, and of unequal ones, made at the same time. */
const SAME = 2;
const CHANGED = 1;

const ALONE = -1;
/** What the best pairing of two beginnings does with their last wishes. */
const STEPS = { skipA: 0, skipB: 1, pair: 2 } as const;

/** A wish of a strategy, as far as it is held against those of another run. */
export interface MadeWish {
  /** When it was made, milliseconds since the epoch. */
  readonly time: number;
  /** All that was wished: the same text, the same wish. */
  readonly text: string;
}

/**
 * Pairs the wishes that one strategy made in two runs, in their order: for each of A the place of
 * the one of B, or -1.
 *
 * Where both wished the same in the same order, the n-th belongs to the n-th. Else no more than a
 * minute lies between the two of a pair, and of all ways to pair them the one is taken whose pairs
 * are worth most: two for one that is the same, one for one that is not, less the part of a minute
 * that lies between.
 */
export function matchWishes(a: readonly MadeWish[], b: readonly MadeWish[]): Int32Array {
  const isOne = a.length === b.length && a.every((wish, at) => isRepeated(wish, b[at]!));
  return isOne ? Int32Array.from(a, (_, at) => at) : bestPairs(a, b);
}

function isRepeated(one: MadeWish, other: MadeWish): boolean {
  return one.text === other.text && Math.abs(one.time - other.time) <= LATE_MAX_MS;
}

function bestPairs(a: readonly MadeWish[], b: readonly MadeWish[]): Int32Array {
  const windows = windowsOf(a, b);
  const rows = windows.map(({ from, to }) => new Uint8Array(to - from));
  // What the best pairing of A's wishes so far with B's first `at` is worth.
  const worth = new Float64Array(b.length + 1);
  let reached = 0;
  for (const [place, { from, to }] of windows.entries()) {
    for (; reached < to; reached++) worth[reached + 1] = worth[reached]!;
    let before = worth[from]!;
    for (let at = from; at < to; at++) {
      const [skipA, skipB] = [worth[at + 1]!, worth[at]!];
      const pair = before + worthOf(a[place]!, b[at]!);
      const best = Math.max(skipA, skipB, pair);
      const step = best === pair ? 'pair' : best === skipA ? 'skipA' : 'skipB';
      rows[place]![at - from] = STEPS[step];
      worth[at + 1] = best;
      before = skipA;
    }
  }
  return pairsOf(windows, rows);
}

/** The wishes of B that one of A may belong to: from a place on and before another. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** The windows of all wishes of A; neither of their ends ever goes back. */
function windowsOf(a: readonly MadeWish[], b: readonly MadeWish[]): Window[] {
  let [first, next, end] = [0, 0, 0];
  return a.map(({ time }) => {
    while (first < b.length && b[first]!.time < time - APART_MAX_MS) first++;
    while (next < b.length && b[next]!.time < time) next++;
    while (end < b.length && b[end]!.time <= time + APART_MAX_MS) end++;
    const half = HELD_TO_MAX / 2;
    return { from: Math.max(first, next - half), to: Math.min(end, next + half) };
  });
}

/** What a pair is worth: not less than nothing within a window. */
function worthOf(one: MadeWish, other: MadeWish): number {
  const apart = Math.abs(one.time - other.time) / APART_MAX_MS;
  return (one.text === other.text ? SAME : CHANGED) - apart;
}

/** Follows the best steps back from the last wishes to the first. */
function pairsOf(windows: readonly Window[], rows: readonly Uint8Array[]): Int32Array {
  const pairs = new Int32Array(windows.length).fill(ALONE);
  let at = Number.POSITIVE_INFINITY;
  for (let place = windows.length - 1; place >= 0; place--) {
    const { from, to } = windows[place]!;
    at = Math.min(at, to);
    while (at > from && rows[place]![at - 1 - from] === STEPS.skipB) at--;
    if (at > from && rows[place]![at - 1 - from] === STEPS.pair) pairs[place] = --at;
  }
  return pairs;
}
