import { defineStrategy, map, target, z } from '#strategy';

/** Wants the summary of the last 24 hours. */
export default defineStrategy({
  name: 'ticker-reader',
  params: z.strictObject({}),
  run: ({ market, ticker }) =>
    ticker().pipe(map(({ last, open }) => target(market, last > open ? 1 : 0))),
});
