import { defineStrategy, map, target, z } from '#strategy';

/** Wishes at each candle, and throws at the third. */
export default defineStrategy({
  name: 'thrower',
  params: z.strictObject({}),
  run: ({ market, candles }) =>
    candles('1hour').pipe(
      map((_, at) => {
        if (at === 2) throw new Error('enough');
        return target(market, 0.01 * (at + 1));
      }),
    ),
});
