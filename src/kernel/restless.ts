import type { Clock } from './clock.ts';

/**
 * The most timers of a strategy that may go off at one moment. Delaying every trade sets thousands;
 * only a timer that repeats without delay sets more, and it would stop a virtual clock for good.
 */
const AT_ONCE_MAX = 100_000;

/** What is wrong with a strategy whose timers exceed that. */
export const RESTLESS =
  `more than ${AT_ONCE_MAX.toLocaleString('en')} of its timers went off at one moment, ` +
  'timers that let time pass are wanted';

/** A function to call as each timer goes off: it tells whether too many went off at that moment. */
export function restlessness(clock: Clock): () => boolean {
  let moment = Number.NaN;
  let atOnce = 0;
  return () => {
    const nowMs = clock.now();
    if (nowMs !== moment) atOnce = 0;
    moment = nowMs;
    return ++atOnce > AT_ONCE_MAX;
  };
}
