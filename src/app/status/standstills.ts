import { interval, type Subscription } from 'rxjs';
import { type Clock, elapsedMs, formatDuration, MINUTE_MS, SECOND_MS } from '../../kernel/index.ts';

/** How often the clock is looked at. */
const LOOK_MS = SECOND_MS / 4;
/** A look that is late by less counts as punctual. */
const LATE_MS = LOOK_MS / 5;
/** One standstill of this length is reported, or several that sum up to so much in a minute. */
const LONG_MS = SECOND_MS;
const MANY_MS = 6 * SECOND_MS;
/** A date that jumps ahead by this or more is reported. Less is drift that was corrected. */
const JUMP_MS = 5 * SECOND_MS;
const TELL_EVERY_MS = MINUTE_MS;

export interface StandstillsOptions {
  /** The machine's. */
  readonly clock: Clock;
  /** Told in one sentence and in figures, once a minute at most. */
  readonly tell: (text: string, details: object) => void;
}

/**
 * Reports times in which this process stood still: what follows from them, such as a lapsed
 * heartbeat or a silent connection, looks like a fault of the exchange. Ends when it is
 * unsubscribed.
 */
export function followStandstills({ clock, tell }: StandstillsOptions): Subscription {
  let lookedMs = elapsedMs(clock);
  let aheadMs = clock.now() - lookedMs;
  let stillMs = 0;
  let longestMs = 0;
  let sinceMs = lookedMs;
  let toldMs = Number.NEGATIVE_INFINITY;
  const forget = (nowMs: number): void => {
    stillMs = 0;
    longestMs = 0;
    sinceMs = nowMs;
  };
  const look = (): void => {
    const nowMs = elapsedMs(clock);
    const lateMs = nowMs - lookedMs - LOOK_MS;
    lookedMs = nowMs;
    const jumpMs = clock.now() - nowMs - aheadMs;
    aheadMs += jumpMs;
    if (jumpMs >= JUMP_MS) tell(jumpText(jumpMs), { jumpMs });
    if (lateMs >= LATE_MS) {
      stillMs += lateMs;
      longestMs = Math.max(longestMs, lateMs);
    }
    const isMuch = longestMs >= LONG_MS || stillMs >= MANY_MS;
    if (isMuch && nowMs - toldMs >= TELL_EVERY_MS) {
      toldMs = nowMs;
      tell(stillText({ stillMs, longestMs, ofMs: nowMs - sinceMs }), { stillMs, longestMs });
      forget(nowMs);
    } else if (!isMuch && nowMs - sinceMs >= TELL_EVERY_MS) forget(nowMs);
  };
  return interval(LOOK_MS, clock).subscribe(look);
}

function jumpText(jumpMs: number): string {
  return `the machine slept for ${formatDuration(jumpMs)}, or its date was set forward by as much`;
}

interface Still {
  readonly stillMs: number;
  readonly longestMs: number;
  /** The time over which the sum is taken. */
  readonly ofMs: number;
}

function stillText({ stillMs, longestMs, ofMs }: Still): string {
  const causes =
    'the machine held it up, or the disk of its journal or log, or a strategy that computes for long';
  const longest = formatDuration(longestMs);
  if (stillMs === longestMs) return `nothing moved in this process for ${longest}: ${causes}`;
  return (
    `nothing moved in this process for ${formatDuration(stillMs)} of ${formatDuration(ofMs)}, ` +
    `at most ${longest} at a time: ${causes}`
  );
}
