import {
  defineStrategy,
  interval,
  map,
  merge,
  midPrice,
  type QuoteLike,
  quotes,
  withLatestFrom,
  z,
} from '#strategy';

/** Wishes something else as fast as it can: every wish moves every quote. */
export default defineStrategy({
  name: 'flood',
  params: z.strictObject({
    amount: z.number().positive(),
    levels: z.int().min(1),
    positionMax: z.number().positive(),
    periodMs: z.number().positive(),
    postOnly: z.boolean(),
  }),
  run(context) {
    const { market, params, random, clock } = context;
    const { amount, levels, positionMax, postOnly, periodMs } = params;
    /** As many as the position allows. `sign`: 1 above the price, -1 below. */
    const side = (sign: number, { mid, held }: { mid: number; held: number }): QuoteLike[] => {
      const room = Math.floor((positionMax + sign * held) / (2 * amount));
      return Array.from({ length: Math.max(0, Math.min(levels, room)) }, (_, level) => ({
        price: mid * (1 + sign * 0.0004 * (level + random.next())),
        amount: amount * (1 + random.integer(2)),
      }));
    };
    const mids = context.depth().pipe(midPrice());
    const ticks = interval(periodMs, clock).pipe(withLatestFrom(mids, (_, mid) => mid));
    const position = context.position().pipe(map((now) => now.amount.toNumber()));
    return merge(mids, ticks).pipe(
      withLatestFrom(position, (mid, held) => ({ mid, held })),
      map((now) => quotes(market, side(-1, now), side(1, now), { postOnly })),
    );
  },
});
