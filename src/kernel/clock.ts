import type { SchedulerLike } from 'rxjs';

/**
 * Time as a port: `now()` in milliseconds since the epoch, `schedule(work, delayMs)` for later work.
 *
 * It is an rxjs `SchedulerLike`, so it is handed to every timed rxjs operator as it is. The system
 * clock is chosen in `app`; backtests and tests use `VirtualClock`.
 */
export interface Clock extends SchedulerLike {
  /**
   * Milliseconds from any origin that run evenly even where `now` is set forth. Default: `now`.
   */
  readonly elapsedMs?: () => number;
  /**
   * The machine's date as it is, milliseconds since the epoch: it may be set back. For what others
   * hold against clocks of their own, never for spans of time. Default: `now`.
   */
  readonly wallMs?: () => number;
}

/** The machine's date as it is, milliseconds since the epoch: what is set by the clock on the wall. */
export function dateMs(clock: Clock): number {
  return clock.wallMs?.() ?? clock.now();
}

/** Milliseconds that run evenly, from any origin: for spans of time, which no set date may change. */
export function elapsedMs(clock: Clock): number {
  return clock.elapsedMs?.() ?? clock.now();
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
