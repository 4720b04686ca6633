import { defineStrategy, distinctUntilKeyChanged, map, target, z } from '#strategy';

/** Buys when the volume, taken for a price, is above the close. */
export default defineStrategy({
  name: 'volume-reader',
  params: z.strictObject({}),
  run: ({ market, candles }) =>
    candles('1min').pipe(
      map(({ close, volume }) => target(market, volume > close ? 0.01 : 0)),
      distinctUntilKeyChanged('position'),
    ),
});
