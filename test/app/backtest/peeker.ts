import { defineStrategy, filter, map, target, z } from '#strategy';

/** The closes that any run has shown: for a later run on the same data they are its future. */
const closes = new Map<number, number>();

/** A cheat: buys when it happens to know that the next candle closes higher. */
export default defineStrategy({
  name: 'peeker',
  params: z.strictObject({}),
  run(context) {
    return context.candles('1min').pipe(
      map(({ openTime, close }) => {
        closes.set(openTime, close);
        const next = closes.get(openTime + 60_000) ?? close;
        return target(context.market, next > close ? 0.01 : 0);
      }),
      filter(({ position }) => position > 0),
    );
  },
});
