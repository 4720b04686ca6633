import { setFlagsFromString } from 'node:v8';

/**
 * After how many calls the engine compiles a function, and how many since it last learned something.
 * Its own numbers (8, 400, 3,000 and 500) are for many programs: what an order runs through, some 900
 * functions, would be slow for the first thousands of orders. Measured on `bench/tick-to-order.ts` and
 * `bench/backtest-candles.ts`: a fifth less for a tick, a quarter for the first run.
 */
const CALLS = {
  'invocation-count-for-feedback-allocation': 2,
  'invocation-count-for-maglev': 100,
  'invocation-count-for-turbofan': 400,
  'minimum-invocations-after-ic-update': 20,
};

/**
 * Lets the engine compile soon what orders run through. It holds for the process from then on, and
 * takes some 40 MB while it compiles. Not for millions of ticks: their few loops would have to wait
 * behind all else.
 */
export function compileSoon(): void {
  for (const [flag, calls] of Object.entries(CALLS)) setFlagsFromString(`--${flag}=${calls}`);
}
