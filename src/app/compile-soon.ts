import { setFlagsFromString } from 'node:v8';

/**
 * After how many calls the engine compiles a function, roughly and well, and how many since it last
 * learned something. Its own numbers (8, 400, 3,000 and 500) are for many programs: what an order
 * runs through, some 900 functions, would be slow for the first thousands of orders. Measured on
 * `bench/tick-to-order.ts`, a fifth less for a tick, and on `bench/backtest-process.ts`, a tenth less
 * than the bot's numbers: what is compiled well too soon is in the way of the rest.
 */
const CALLS = {
  bot: { feedback: 2, rough: 100, well: 400, unchanged: 20 },
  backtest: { feedback: 2, rough: 100, well: 3_000, unchanged: 100 },
};

/**
 * Lets the engine compile soon what orders run through. It holds for the process from then on, and
 * takes some 40 MB while it compiles. Not for millions of ticks: their few loops would have to wait
 * behind all else.
 */
export function compileSoon(program: keyof typeof CALLS): void {
  const { feedback, rough, well, unchanged } = CALLS[program];
  const flags = {
    'invocation-count-for-feedback-allocation': feedback,
    'invocation-count-for-maglev': rough,
    'invocation-count-for-turbofan': well,
    'minimum-invocations-after-ic-update': unchanged,
  };
  for (const [flag, calls] of Object.entries(flags)) setFlagsFromString(`--${flag}=${calls}`);
}
