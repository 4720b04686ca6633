import { defineStrategy, ignoreElements, map, merge, tap, target, z } from '#strategy';

/** Adds a tenth to its position at every trade, and says what it hears. */
export default defineStrategy({
  name: 'adder',
  params: z.strictObject({}),
  run({ market, trades, depth, freshness, log }) {
    let trade = 0;
    const books = depth().pipe(tap(({ bids, asks }) => log('depth', { bids, asks })));
    const freshnesses = freshness().pipe(
      tap(({ stream, fresh }) => log('freshness', { stream, fresh })),
    );
    return merge(
      trades().pipe(map(() => target(market, ++trade / 10))),
      merge(books, freshnesses).pipe(ignoreElements()),
    );
  },
});
