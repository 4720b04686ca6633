import type { Clock } from './clock.ts';

/**
 * So many timers of one moment are no strategy's intention: even trades that are all delayed come by
 * thousands. One that repeats itself at once would keep a virtual clock's time from passing for good.
 */
const AT_ONCE_MAX = 100_000;

/** What is wrong with a strategy of which more went off at one moment. */
export const RESTLESS =
  `more than ${AT_ONCE_MAX.toLocaleString('en')} of its timers went off at one moment, ` +
  'timers that let time pass are wanted';

/** Called for each timer as it goes off: whether there were too many at that moment. */
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
