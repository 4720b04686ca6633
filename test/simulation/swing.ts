import { defineStrategy, interval, map, target, z } from '#strategy';

/** Wishes a position at one end of what is allowed, none, the other end: no order of it rests. */
export default defineStrategy({
  name: 'swing',
  params: z.strictObject({
    positionMax: z.number().positive(),
    periodMs: z.number().positive().default(2_000),
  }),
  run({ market, params: { positionMax, periodMs }, clock }) {
    return interval(periodMs, clock).pipe(
      map((index) => target(market, positionMax * (1 - (index % 3)))),
    );
  },
});
