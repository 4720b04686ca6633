import {
  defineStrategy,
  filter,
  INTERVALS,
  map,
  merge,
  quotes,
  switchMap,
  take,
  tap,
  z,
} from '#strategy';

/**
 * Says which candles it hears, those of `late` when the first of the others has closed, and wishes to
 * buy a tenth below each close.
 */
export default defineStrategy({
  name: 'listener',
  params: z.strictObject({
    intervals: z.array(z.enum(INTERVALS)),
    late: z.enum(INTERVALS).optional(),
  }),
  run({ market, params: { intervals, late }, candles, clock, log }) {
    const start = clock.now();
    const streams = merge(...intervals.map((interval) => candles(interval)));
    const later = candles(intervals[0]!).pipe(
      filter(({ exchangeTime }) => exchangeTime > start),
      take(1),
      switchMap(() => candles(late!)),
    );
    return merge(streams, ...(late === undefined ? [] : [later])).pipe(
      tap((candle) => log(JSON.stringify(candle))),
      map(({ close }) => quotes(market, [[0.95 * close, 0.1]], [])),
    );
  },
});
