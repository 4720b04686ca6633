import {
  Crossover,
  defineStrategy,
  Ema,
  filter,
  INTERVAL_MS,
  INTERVALS,
  map,
  target,
  z,
} from '#strategy';

/** Long when the fast average of the closes crosses above the slow one, out when it falls below. */
export default defineStrategy({
  name: 'ema-cross',
  params: z.strictObject({
    amount: z.number().positive().describe('Position to take, in the base currency.'),
    interval: z.enum(INTERVALS).default('15min').describe('Length of the candles.'),
    fast: z.int().min(1).default(12).describe('Candles of the fast average.'),
    slow: z.int().min(2).default(26).describe('Candles of the slow average.'),
    short: z.boolean().default(false).describe('Whether a cross below goes short, not only out.'),
  }),
  run(context) {
    const { market, params } = context;
    const fast = new Ema(params.fast);
    const slow = new Ema(params.slow);
    const crossover = new Crossover();
    const start = context.clock.now();

    return context.candles(params.interval).pipe(
      map(({ close, openTime }) => ({
        cross: crossover.next(fast.next(close), slow.next(close)),
        closeTime: openTime + INTERVAL_MS[params.interval],
      })),
      // The history before the start only warms the averages up.
      filter(({ cross, closeTime }) => cross !== undefined && closeTime > start),
      map(({ cross }) =>
        target(market, cross === 'up' ? params.amount : params.short ? -params.amount : 0),
      ),
    );
  },
});
