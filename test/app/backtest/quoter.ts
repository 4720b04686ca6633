import { defineStrategy, ignoreElements, map, merge, quotes, take, tap, z } from '#strategy';

/** Bids within the spread and buys of the best ask, once, and says what it hears. */
export default defineStrategy({
  name: 'quoter',
  params: z.strictObject({}),
  run({ market, depth, trades, log }) {
    const books = depth().pipe(tap(({ bids, asks }) => log('depth', { bids, asks })));
    const prints = trades().pipe(tap(({ price }) => log('trade', { price })));
    const wishes = depth().pipe(
      take(1),
      map(() =>
        quotes(
          market,
          [
            [100, 0.5],
            [99.95, 0.5],
          ],
          [],
          { postOnly: false },
        ),
      ),
    );
    return merge(wishes, merge(books, prints).pipe(ignoreElements()));
  },
});
