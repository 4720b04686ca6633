import {
  Crossover,
  defineStrategy,
  Ema,
  filter,
  INTERVAL_MS,
  INTERVALS,
  ignoreElements,
  map,
  merge,
  tap,
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
    const [fast, slow, crossover] = [new Ema(params.fast), new Ema(params.slow), new Crossover()];
    const lengthMs = INTERVAL_MS[params.interval];
    const start = context.clock.now();
    let held = 0;

    const holding = context.position().pipe(
      tap(({ amount }) => {
        held = amount.toNumber();
      }),
      ignoreElements(),
    );
    const targets = context.candles(params.interval).pipe(
      map(({ close, openTime }) => {
        const quick = fast.next(close);
        const calm = slow.next(close);
        const cross = crossover.next(quick, calm);
        const closeTime = openTime + lengthMs;
        if (closeTime > start) {
          return cross && (cross === 'up' ? params.amount : params.short ? -params.amount : 0);
        }
        // History only warms up the averages, but a signal to get out may have come before a
        // restart.
        const lead = quick === undefined || calm === undefined ? 0 : quick - calm;
        const isAgainst = held * lead < 0 && Math.abs(held) >= market.minAmount;
        return isAgainst && closeTime > start - lengthMs ? 0 : undefined;
      }),
      filter((position) => position !== undefined),
      map((position) => target(market, position)),
    );
    return merge(holding, targets);
  },
});
