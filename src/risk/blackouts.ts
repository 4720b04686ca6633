import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../kernel/index.ts';

/** Weekdays from Sunday on, as settings name them. */
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
/** Index of the epoch's first day, a Thursday, in `WEEKDAYS`. */
const FIRST_WEEKDAY = 4;
const DAY_MINUTES = DAY_MS / MINUTE_MS;

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of the day such as "13:30" is wanted');

/** A daily window in which nothing is opened. */
export const blackoutSchema = z.strictObject({
  from: clock.describe('When it begins, UTC: "13:30".'),
  to: clock.describe('When it ends, UTC; a time no later than `from` is on the next day.'),
  days: z
    .array(z.enum(WEEKDAYS))
    .min(1)
    .optional()
    .describe('The days on which it begins. Default: every day.'),
});

type Blackout = z.infer<typeof blackoutSchema>;

/**
 * The first window that contains a time, milliseconds since the epoch; undefined: none. A window
 * that ends no later than it begins goes on into the next day, whatever that day's name.
 */
export function blackoutAt(windows: readonly Blackout[], timeMs: number): Blackout | undefined {
  const day = Math.floor(timeMs / DAY_MS);
  const minute = Math.floor(timeMs / MINUTE_MS) - day * DAY_MINUTES;
  return windows.find(({ from, to, days }) => {
    const [first, end] = [minuteOf(from), minuteOf(to)];
    const begins = (at: number): boolean => days?.includes(weekdayOf(at)) ?? true;
    if (first < end) return minute >= first && minute < end && begins(day);
    return (minute >= first && begins(day)) || (minute < end && begins(day - 1));
  });
}

/**
 * The end of the window that contains a time, and of those that follow without a pause; infinite if
 * no time of the week is free; undefined if no window contains it.
 */
export function blackoutEndMs(windows: readonly Blackout[], timeMs: number): number | undefined {
  let endMs = timeMs;
  while (endMs - timeMs <= WEEKDAYS.length * DAY_MS) {
    const window = blackoutAt(windows, endMs);
    if (window === undefined) return endMs === timeMs ? undefined : endMs;
    const today = Math.floor(endMs / DAY_MS) * DAY_MS + minuteOf(window.to) * MINUTE_MS;
    endMs = today > endMs ? today : today + DAY_MS;
  }
  return Number.POSITIVE_INFINITY;
}

/** When the next window begins after that time, milliseconds since the epoch; infinite: never. */
export function nextBlackoutMs(windows: readonly Blackout[], timeMs: number): number {
  const today = Math.floor(timeMs / DAY_MS);
  let nextMs = Number.POSITIVE_INFINITY;
  for (const { from, days } of windows) {
    // A week later the same weekday comes again.
    for (let day = today; day <= today + WEEKDAYS.length; day++) {
      const beginMs = day * DAY_MS + minuteOf(from) * MINUTE_MS;
      if (beginMs <= timeMs || !(days?.includes(weekdayOf(day)) ?? true)) continue;
      nextMs = Math.min(nextMs, beginMs);
      break;
    }
  }
  return nextMs;
}

function weekdayOf(day: number): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[(day + FIRST_WEEKDAY) % WEEKDAYS.length]!;
}

/** `13:30` as minutes since midnight. */
function minuteOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return 60 * hours! + minutes!;
}
