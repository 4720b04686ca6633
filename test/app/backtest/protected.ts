import { defineStrategy, filter, map, protect, target, z } from '#strategy';

/** Wishes one position after the other, at the close of each minute, over and over; protected. */
export default defineStrategy({
  name: 'protected',
  params: z.strictObject({
    wishes: z.array(z.number()),
    stopLoss: z.number().optional(),
    takeProfit: z.number().optional(),
    trailing: z.number().optional(),
    holdMaxMs: z.number().optional(),
    reenterAfterMs: z.number().optional(),
  }),
  run(context) {
    const { market, candles, clock, params } = context;
    const { wishes, ...rules } = params;
    const startMs = clock.now();
    let minutes = 0;
    return candles('1min').pipe(
      filter(({ exchangeTime }) => exchangeTime > startMs),
      map(() => target(market, wishes[minutes++ % wishes.length]!)),
      protect(context, rules),
    );
  },
});
