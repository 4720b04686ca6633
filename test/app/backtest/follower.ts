import { bufferCount, defineStrategy, map, quotes, z } from '#strategy';

/** Quotes around every fifth trade. */
export default defineStrategy({
  name: 'follower',
  params: z.strictObject({}),
  run: ({ market, trades }) =>
    trades().pipe(
      bufferCount(5),
      map((five) => {
        const price = five.at(-1)!.price;
        return quotes(market, [[price - 3, 0.01]], [[price + 3, 0.01]]);
      }),
    ),
});
