import { concatMap, defineStrategy, from, map, target, z } from '#strategy';

/** Wishes a position as large as the place of its candle, on a promise. */
export default defineStrategy({
  name: 'waiting',
  params: z.strictObject({}),
  run: ({ market, candles }) =>
    candles('1min').pipe(
      concatMap((_, at) => from(Promise.resolve(at + 1))),
      map((position) => target(market, position)),
    ),
});
