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
    periodMs: z.number().positive(),
    postOnly: z.boolean(),
  }),
  run(context) {
    const { market, params, random, clock } = context;
    const side = (mid: number, sign: number): QuoteLike[] =>
      Array.from({ length: params.levels }, (_, level) => ({
        price: mid * (1 + sign * 0.0004 * (level + random.next())),
        amount: params.amount * (1 + random.integer(2)),
      }));
    const mids = context.depth().pipe(midPrice());
    const ticks = interval(params.periodMs, clock).pipe(withLatestFrom(mids, (_, mid) => mid));
    return merge(mids, ticks).pipe(
      map((mid) => quotes(market, side(mid, -1), side(mid, 1), { postOnly: params.postOnly })),
    );
  },
});
