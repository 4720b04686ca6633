import { HOUR_MS, MINUTE_MS } from '../../kernel/index.ts';

/** How far apart in time two runs may have made the same wish. */
const APART_MAX_MS = MINUTE_MS;
/** The same for runs whose wishes are all equal: one may have heard its data late. */
const LATE_MAX_MS = HOUR_MS;
/** Most wishes of the other run within that time that a wish is compared with. */
const COMPARED_MAX = 32;
/** The score of a pair of equal wishes, and of unequal ones, made at the same time. */
const SAME = 2;
const CHANGED = 1;

const ALONE = -1;
/** What the best pairing of two prefixes does with their last wishes. */
const STEPS = { skipA: 0, skipB: 1, pair: 2 } as const;

/** A wish of a strategy, as it is compared with those of another run. */
export interface MadeWish {
  /** When it was made, milliseconds since the epoch. */
  readonly time: number;
  /** The whole wish as text: equal texts are equal wishes. */
  readonly text: string;
}

/**
 * Pairs the wishes that one strategy made in two runs, in order. Gives, for each of A, the index of
 * its partner in B, or -1.
 *
 * If both runs made the same wishes in the same order, the n-th belongs to the n-th. Otherwise the
 * two of a pair are at most a minute apart, and of all ways to pair them the one with the highest
 * score is taken: two for a pair of equal wishes, one for unequal ones, less the part of a minute
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
  // The score of the best pairing of A's wishes so far with B's first `at`.
  const scores = new Float64Array(b.length + 1);
  let reached = 0;
  for (const [place, { from, to }] of windows.entries()) {
    for (; reached < to; reached++) scores[reached + 1] = scores[reached]!;
    let before = scores[from]!;
    for (let at = from; at < to; at++) {
      const [skipA, skipB] = [scores[at + 1]!, scores[at]!];
      const pair = before + scoreOf(a[place]!, b[at]!);
      const best = Math.max(skipA, skipB, pair);
      const step = best === pair ? 'pair' : best === skipA ? 'skipA' : 'skipB';
      rows[place]![at - from] = STEPS[step];
      scores[at + 1] = best;
      before = skipA;
    }
  }
  return pairsOf(windows, rows);
}

/** The range of B's wishes that one of A may be paired with; `to` is excluded. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** The windows of all wishes of A. Their ends never move back. */
function windowsOf(a: readonly MadeWish[], b: readonly MadeWish[]): Window[] {
  let [first, next, end] = [0, 0, 0];
  return a.map(({ time }) => {
    while (first < b.length && b[first]!.time < time - APART_MAX_MS) first++;
    while (next < b.length && b[next]!.time < time) next++;
    while (end < b.length && b[end]!.time <= time + APART_MAX_MS) end++;
    const half = COMPARED_MAX / 2;
    return { from: Math.max(first, next - half), to: Math.min(end, next + half) };
  });
}

/** The score of a pair; within a window it is never negative. */
function scoreOf(one: MadeWish, other: MadeWish): number {
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
