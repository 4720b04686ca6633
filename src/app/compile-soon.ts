import { setFlagsFromString } from 'node:v8';

/**
 * After how many calls V8 collects feedback on a function, compiles it roughly and compiles it
 * well, and for how many its feedback must be unchanged. V8's own numbers (8, 400, 3,000 and 500)
 * suit programs in general: some 900 functions handle an order, and would be slow for thousands of
 * orders. Measured: `bench/tick-to-order.ts` takes a fifth less for a tick, and
 * `bench/backtest-process.ts` a tenth less than with the bot's numbers, as optimizing too soon
 * delays the rest.
 */
const CALLS = {
  bot: { feedback: 2, rough: 100, well: 400, unchanged: 20 },
  backtest: { feedback: 2, rough: 100, well: 3_000, unchanged: 100 },
};

/**
 * Lets V8 compile soon what orders run through. Holds for the process from then on, and takes some
 * 40 MB while it compiles. Not for millions of ticks: their few hot loops would have to wait behind
 * everything else.
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
