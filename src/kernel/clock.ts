import type { SchedulerLike } from 'rxjs';

/**
 * Time as a port: `now()` in milliseconds since the epoch, `schedule(work, delayMs)` for later work,
 * however far off.
 *
 * It is an rxjs `SchedulerLike`, so it is handed to every timed rxjs operator as it is. The system
 * clock is chosen in `app`; backtests and tests use `VirtualClock`.
 */
export interface Clock extends SchedulerLike {
  /**
   * Milliseconds from an arbitrary origin that run evenly even where `now` is set ahead.
   * Default: `now`.
   */
  readonly elapsedMs?: () => number;
  /**
   * The machine's own date, milliseconds since the epoch: it may be set back. For times that others
   * compare with clocks of their own, never for durations. Default: `now`.
   */
  readonly wallMs?: () => number;
}

/** The machine's own date, milliseconds since the epoch, even where it was set back. */
export function dateMs(clock: Clock): number {
  return clock.wallMs?.() ?? clock.now();
}

/** Evenly running milliseconds from an arbitrary origin: for durations, whatever sets the date. */
export function elapsedMs(clock: Clock): number {
  return clock.elapsedMs?.() ?? clock.now();
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
