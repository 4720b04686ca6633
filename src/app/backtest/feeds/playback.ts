import { setImmediate } from 'node:timers/promises';
import type { VirtualClock } from '../../../kernel/index.ts';
import type { Meters } from '../meters/meters.ts';
import { type RowFeed, TURNS } from './row-feed.ts';
import { TimeSlice } from './time-slice.ts';

export interface PlaybackOptions {
  /** In the order of the configuration, which decides between steps of the same time and turn. */
  readonly feeds: readonly RowFeed[];
  readonly clock: VirtualClock;
  readonly meters: Meters;
  /** Called now and then between rows. Answers whether to go on. */
  readonly onChunk: () => boolean;
  /** Wraps the playing of some rows and all that follows at once. Default: calls it as it is. */
  readonly played?: (play: () => void) => void;
}

/** Plays feeds merged by time; asynchronous only between slices or chunks. False if stopped. */
export async function play(options: PlaybackOptions): Promise<boolean> {
  const { feeds, clock, onChunk, meters, played = (play) => play() } = options;
  const slice = new TimeSlice();
  const open = new Set(feeds);
  for (;;) {
    for (const feed of open) {
      if (await ready(feed)) continue;
      open.delete(feed);
      // What was heard at the feed's last moment is still to be told.
      played(() => feed.settle());
    }
    const [first] = open;
    if (first === undefined) {
      played(() => clock.runDue());
      return true;
    }
    slice.begin();
    played(() => {
      if (feeds.length === 1) first.playAll(meters, slice);
      else playMerged([...open], { ...options, slice });
    });
    if (!onChunk()) return false;
    if (slice.isSpent) await setImmediate();
  }
}

/** Reads chunks until there is a row to play. False when the feed has no more. */
async function ready(feed: RowFeed): Promise<boolean> {
  while (feed.nextMs === Number.POSITIVE_INFINITY) if (!(await feed.refill())) return false;
  return true;
}

/** Plays rows in order of time, then of turns, until a chunk is used up or the slice is over. */
function playMerged(
  feeds: readonly RowFeed[],
  { clock, meters, slice }: PlaybackOptions & { readonly slice: TimeSlice },
): void {
  while (!slice.isOver()) {
    let first = feeds[0]!;
    let firstMs = first.nextMs;
    for (const feed of feeds) {
      const { nextMs } = feed;
      if (nextMs === Number.POSITIVE_INFINITY) return;
      if (nextMs > firstMs || (nextMs === firstMs && feed.nextTurn >= first.nextTurn)) continue;
      first = feed;
      firstMs = nextMs;
    }
    if (firstMs > clock.now()) {
      for (const feed of feeds) feed.settle();
      // Settling may have sent orders that are to trade at an open of this time.
      if (clock.isDue) {
        clock.runDue();
        continue;
      }
    }
    // All markets have their prices of this time before the account is valued.
    if (first.nextTurn === TURNS.opening) {
      if (meters.leadToOpen(firstMs, clock)) continue;
      meters.passToOpen(firstMs);
    } else if (firstMs > meters.dueMs) {
      // All that is heard by then counts in the value, answers and pushes included, and may send
      // orders for an open still to come.
      clock.advanceTo(meters.dueMs);
      meters.passTo(firstMs);
      continue;
    }
    first.step(meters);
  }
}
