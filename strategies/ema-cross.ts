import {
  Crossover,
  defineStrategy,
  Ema,
  filter,
  INTERVAL_MS,
  INTERVALS,
  map,
  target,
  withLatestFrom,
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
    const [fast, slow, crossover] = [new Ema(params.fast), new Ema(params.slow), new Crossover()];
    const lengthMs = INTERVAL_MS[params.interval];
    const start = context.clock.now();

    return context.candles(params.interval).pipe(
      map(({ close, openTime }) => {
        const [quick, calm] = [fast.next(close), slow.next(close)];
        const lead = quick === undefined || calm === undefined ? 0 : quick - calm;
        return { cross: crossover.next(quick, calm), lead, closeTime: openTime + lengthMs };
      }),
      withLatestFrom(context.position()),
      map(([{ cross, lead, closeTime }, { amount }]) => {
        if (closeTime > start) {
          return cross && (cross === 'up' ? params.amount : params.short ? -params.amount : 0);
        }
        // The history only warms the averages up, but the way out may have come before a restart.
        const held = amount.toNumber();
        const isAgainst = held * lead < 0 && Math.abs(held) >= market.minAmount;
        return isAgainst && closeTime > start - lengthMs ? 0 : undefined;
      }),
      filter((position) => position !== undefined),
      map((position) => target(market, position)),
    );
  },
});
